// Sums with carry, .ftz and .sat, 16-bit floats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ptx_cases.cuh"

namespace ptx_cases {
namespace {

// 128-bit numbers in 32-bit words; the carry flag passes between statements, too.
__global__ void carries_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned a0 = in[i] | 0xc0000000, a1 = in[i + 1] * 4, a2 = ~0u, a3 = in[i + 3];
  const unsigned b0 = in[i + 4] | 0x80000000, b1 = in[i + 5] * 4, b2 = i % 2, b3 = in[i + 7];
  unsigned s0, s1, s2, s3;
  asm("{\n\tadd.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\taddc.u32 %3, %7, %11;\n\t}"
      : "=&r"(s0), "=&r"(s1), "=&r"(s2), "=&r"(s3)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(b2), "r"(b3));
  out[i] = s0 ^ s1 * 3 ^ s2 * 5 ^ s3 * 7;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(s0) : "r"(a0), "r"(b0));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(s1) : "r"(a1), "r"(b1));
  asm volatile("subc.cc.s32 %0, %1, %2;" : "=r"(s2) : "r"(b2), "r"(a2));
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(s3) : "r"(a3), "r"(b3));
  out[i + 64] = s0 ^ s1 * 3 ^ s2 * 5 ^ s3 * 7;
  // (a1, a0) * b0 + (b2, b1)
  unsigned p0, p1, p2;
  asm("mad.lo.cc.u32 %0, %3, %5, %6;\n\tmadc.hi.cc.u32 %1, %3, %5, %7;\n\taddc.u32 %2, 0, 0;\n\t"
      "mad.lo.cc.u32 %1, %4, %5, %1;\n\tmadc.hi.u32 %2, %4, %5, %2;"
      : "=&r"(p0), "=&r"(p1), "=&r"(p2)
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(b2));
  out[i + 128] = p0 ^ p1 * 3 ^ p2 * 5;
  unsigned long long low, high;
  asm("add.cc.u64 %0, %2, %3; addc.u64 %1, %2, %3;"
      : "=&l"(low), "=&l"(high)
      : "l"(~0ull - a0), "l"(1ull + b0));
  out[i + 192] = static_cast<unsigned>(low ^ high);
}
__global__ void carries_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned a0 = in[i] | 0xc0000000, a1 = in[i + 1] * 4, a2 = ~0u, a3 = in[i + 3];
  const unsigned b0 = in[i + 4] | 0x80000000, b1 = in[i + 5] * 4, b2 = i % 2, b3 = in[i + 7];
  unsigned s[4];
  const unsigned a[] = {a0, a1, a2, a3}, b[] = {b0, b1, b2, b3}, c[] = {a0, a1, b2, a3},
                 d[] = {b0, b1, a2, b3};
  unsigned long long carry = 0;
  for (int k = 0; k < 4; ++k) {
    carry += 1ull * a[k] + b[k];
    s[k] = static_cast<unsigned>(carry);
    carry >>= 32;
  }
  out[i] = s[0] ^ s[1] * 3 ^ s[2] * 5 ^ s[3] * 7;
  long long borrow = 0;
  for (int k = 0; k < 4; ++k) {
    borrow += static_cast<long long>(c[k]) - static_cast<long long>(d[k]);
    s[k] = static_cast<unsigned>(borrow);
    borrow >>= 32;
  }
  out[i + 64] = s[0] ^ s[1] * 3 ^ s[2] * 5 ^ s[3] * 7;
  const unsigned long long first = 1ull * a0 * b0 + b1;
  const unsigned long long middle = (first >> 32) + b2;
  const unsigned long long second = 1ull * a1 * b0 + middle;
  out[i + 128] = static_cast<unsigned>(first) ^ static_cast<unsigned>(second) * 3 ^
                 static_cast<unsigned>(second >> 32) * 5;
  const unsigned long long x = ~0ull - a0, y = 1ull + b0, low = x + y;
  out[i + 192] = static_cast<unsigned>(low ^ (x + y + (low < x ? 1 : 0)));
}

__device__ float flushed(float x) { return fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x; }

__device__ float small_number(unsigned bits) { return __uint_as_float(bits % 0x01800000u); }

__global__ void flushes_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const float a = small_number(in[i]), b = -small_number(in[i + 64]);
  const float x = __uint_as_float((in[i] & 0x00ffffff) + 0x3f000000), y = i % 2 ? 1.5f : -0.25f;
  float d;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  out[i] = __float_as_uint(d);
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(0.5f));
  out[i + 64] = __float_as_uint(d);
  asm("fma.rn.sat.f32 %0, %1, %2, %1;" : "=f"(d) : "f"(x), "f"(y));
  out[i + 128] = __float_as_uint(d);
  asm("max.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  out[i + 192] = __float_as_uint(d);
  asm("{ .reg .pred p; setp.gt.ftz.f32 p, %1, 0f00000000; selp.f32 %0, 0f3F800000, 0f00000000, p; }"
      : "=f"(d)
      : "f"(a));
  out[i + 256] = __float_as_uint(d);
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(d) : "f"(x * 10 * y));
  out[i + 320] = __float_as_uint(d);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(d) : "f"(x * y));
  out[i + 384] = __float_as_uint(d);
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(d) : "f"(x), "f"(i % 3 ? y : __uint_as_float(0x7fc00001)));
  out[i + 448] = __float_as_uint(d);
  // Approximations, of which only a few digits are the same everywhere.
  unsigned digits = 0;
  const auto add = [&](float value) { digits = digits * 31 + static_cast<unsigned>(value * 100); };
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(3.0f));
  add(d + 0.001f);
  asm("lg2.approx.f32 %0, %1;" : "=f"(d) : "f"(8.0f));
  add(d + 0.001f);
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(3.0f));
  add(d);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(0.3f));
  add(d);
  asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(0.3f));
  add(d);
  asm("div.full.f32 %0, %1, %2;" : "=f"(d) : "f"(1.0f), "f"(0.7f));
  add(d);
  asm("sin.approx.f32 %0, %1;" : "=f"(d) : "f"(1.0f));
  add(d);
  asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(0.51f));
  add(d);
  out[i + 512] = digits;
}
__global__ void flushes_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const float a = small_number(in[i]), b = -small_number(in[i + 64]);
  const float x = __uint_as_float((in[i] & 0x00ffffff) + 0x3f000000), y = i % 2 ? 1.5f : -0.25f;
  out[i] = __float_as_uint(flushed(__fadd_rn(flushed(a), flushed(b))));
  out[i + 64] = __float_as_uint(flushed(__fmul_rn(flushed(a), 0.5f)));
  out[i + 128] = __float_as_uint(__saturatef(__fmaf_rn(x, y, x)));
  out[i + 192] = __float_as_uint(flushed(a));  // 0 is greater than -0
  out[i + 256] = __float_as_uint(flushed(a) > 0 ? 1.0f : 0.0f);
  out[i + 320] = __float_as_uint(floorf(x * 10 * y));
  out[i + 384] = __float_as_uint(__saturatef(x * y));
  out[i + 448] = i % 3 ? __float_as_uint(fmaxf(x, y)) : 0x7fffffff;
  unsigned digits = 0;
  for (const float value : {8.001f, 3.001f, 0.333f, 1.826f, 0.5477f, 1.4286f, 0.84147f, 0.46995f})
    digits = digits * 31 + static_cast<unsigned>(value * 100);
  out[i + 512] = digits;
}

__global__ void halves_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned a = in[i] & 0xbfffbfff, b = in[i + 64] & 0xbfffbfff, c = in[i + 128] & 0xbfffbfff;
  unsigned d;
  unsigned short h;
  float f;
  asm("add.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i] = d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 64] = d;
  asm("mul.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i + 128] = d;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 192] = d;
  asm("max.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i + 256] = d;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high; }" : "=f"(f) : "r"(a));
  out[i + 320] = __float_as_uint(f);
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f * 1.0001f));
  out[i + 384] = h;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(f * 3), "f"(f / 3));
  out[i + 448] = d;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(f * 3), "f"(f / 3));
  out[i + 512] = d;
  asm("{ .reg .b16 x, y; mov.b32 {x, y}, %1; sub.f16 x, x, y; neg.f16 x, x; mov.b32 %0, {x, y}; }"
      : "=r"(d)
      : "r"(a));
  out[i + 576] = d;
}
__global__ void halves_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned words[] = {in[i] & 0xbfffbfff, in[i + 64] & 0xbfffbfff, in[i + 128] & 0xbfffbfff};
  const auto half2_of = [](unsigned word) {
    return __halves2half2(__ushort_as_half(static_cast<unsigned short>(word)),
                          __ushort_as_half(static_cast<unsigned short>(word >> 16)));
  };
  const auto bits_of = [](__half2 pair) {
    return static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << 16 |
           __half_as_ushort(__low2half(pair));
  };
  const auto brain2_of = [](unsigned word) {
    return __halves2bfloat162(__ushort_as_bfloat16(static_cast<unsigned short>(word)),
                              __ushort_as_bfloat16(static_cast<unsigned short>(word >> 16)));
  };
  const auto bits_of_brain = [](__nv_bfloat162 pair) {
    return static_cast<unsigned>(__bfloat16_as_ushort(__high2bfloat16(pair))) << 16 |
           __bfloat16_as_ushort(__low2bfloat16(pair));
  };
  const __half2 a = half2_of(words[0]), b = half2_of(words[1]), c = half2_of(words[2]);
  out[i] = bits_of(__hadd2(a, b));
  out[i + 64] = bits_of(__hfma2(a, b, c));
  out[i + 128] = bits_of_brain(__hmul2(brain2_of(words[0]), brain2_of(words[1])));
  out[i + 192] =
      bits_of_brain(__hfma2(brain2_of(words[0]), brain2_of(words[1]), brain2_of(words[2])));
  out[i + 256] = bits_of(__hmax2(a, b));
  const float f = __half2float(__high2half(a));
  out[i + 320] = __float_as_uint(f);
  out[i + 384] = __half_as_ushort(__float2half_rn(f * 1.0001f));
  out[i + 448] = bits_of(__floats2half2_rn(f / 3, f * 3));
  out[i + 512] = bits_of_brain(__floats2bfloat162_rn(f / 3, f * 3));
  const __half difference = __hneg(__hsub(__low2half(a), __high2half(a)));
  out[i + 576] = (words[0] & 0xffff0000) | __half_as_ushort(difference);
}

}  // namespace

std::vector<Case> number_cases() {
  return {{"carries", carries_ptx, carries_plain},
          {"flushes", flushes_ptx, flushes_plain},
          {"halves", halves_ptx, halves_plain}};
}

}  // namespace ptx_cases
