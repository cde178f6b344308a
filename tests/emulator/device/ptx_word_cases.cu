// Tests and selections without predicates, products of 24 bits, several numbers in a word, and
// floats of 8 bits.
#include <cuda_fp8.h>

#include "ptx_cases.cuh"

namespace ptx_cases {
namespace {

/// Numbers of every kind, and their opposites.
__device__ float any_float(unsigned i) {
  const unsigned edges[] = {0,          1,          0x007fffff, 0x00800000,
                            0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
  return __uint_as_float(edges[i % 8] | (i / 8 % 2) << 31);
}
__device__ double any_double(unsigned i) {
  const unsigned high[] = {0,          0,          0x000fffff, 0x00100000,
                           0x7fefffff, 0x7ff00000, 0x7ff00000, 0x7ff80000};
  return __hiloint2double(static_cast<int>(high[i % 8] | (i / 8 % 2) << 31),
                          i % 8 == 1 || i % 8 == 6);
}

__global__ void kinds_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const float x = any_float(i), y = __uint_as_float(in[i]);
  const double u = any_double(i), v = y;
  unsigned kinds = 0, d;
  float f;
  double g;
  unsigned long long w;
  const auto add = [&](unsigned found) { kinds = kinds * 2 + found; };
  asm("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.number.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
  add(d);
  asm("{ .reg .pred p; testp.finite.f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "d"(u));
  add(d);
  asm("{ .reg .pred p; testp.infinite.f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "d"(u));
  add(d);
  asm("{ .reg .pred p; testp.notanumber.f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "d"(u));
  add(d);
  asm("{ .reg .pred p; testp.normal.f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "d"(u));
  add(d);
  asm("{ .reg .pred p; testp.subnormal.f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "d"(u));
  add(d);
  out[i] = kinds;
  asm("copysign.f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(y));
  out[i + 64] = __float_as_uint(f);
  asm("copysign.f64 %0, %1, %2;" : "=d"(g) : "d"(u), "d"(v));
  out[i + 128] = static_cast<unsigned>(__double2hiint(g));
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(i), "r"(~i), "r"(in[i]));
  out[i + 192] = d;
  asm("slct.b64.f32 %0, %1, %2, %3;" : "=l"(w) : "l"(1ull + i), "l"(100ull + i), "f"(x));
  out[i + 256] = static_cast<unsigned>(w);
  asm("slct.ftz.f32.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(1.5f), "f"(-2.5f), "f"(x));
  out[i + 320] = __float_as_uint(f);
  asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(d) : "r"(in[i]), "r"(in[i + 64]));
  out[i + 384] = d;
  asm("set.hi.f32.u32 %0, %1, %2;" : "=f"(f) : "r"(in[i]), "r"(in[i + 64]));
  out[i + 448] = __float_as_uint(f);
  asm("set.geu.s32.f32 %0, %1, %2;" : "=r"(d) : "f"(x), "f"(y));
  out[i + 512] = d;
  asm("set.gt.ftz.u32.f32 %0, %1, %2;" : "=r"(d) : "f"(x), "f"(0.0f));
  out[i + 576] = d;
  asm("{ .reg .pred p; setp.lt.u32 p, %3, 20; set.ne.xor.f32.f64 %0, %1, %2, p; }"
      : "=f"(f)
      : "d"(u), "d"(v), "r"(i));
  out[i + 640] = __float_as_uint(f);
  asm("{ .reg .pred p; setp.lt.u32 p, %3, 20; set.le.and.u32.u32 %0, %1, %2, !p; }"
      : "=r"(d)
      : "r"(in[i]), "r"(in[i + 64]), "r"(i));
  out[i + 704] = d;
}
__global__ void kinds_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const float x = any_float(i), y = __uint_as_float(in[i]);
  const double u = any_double(i), v = y;
  const unsigned kind = i % 8;
  const bool is_finite = kind<5, is_infinite = kind == 5, is_nan = kind> 5;
  const bool is_subnormal = kind == 1 || kind == 2, is_normal = is_finite && !is_subnormal;
  unsigned kinds = 0;
  for (const bool found : {is_finite, is_infinite, !is_nan, is_nan, is_normal, is_subnormal,
                           is_finite, is_infinite, is_nan, is_normal, is_subnormal})
    kinds = kinds * 2 + found;
  out[i] = kinds;
  const bool negative = i / 8 % 2 != 0;
  out[i + 64] = (__float_as_uint(y) & 0x7fffffff) | (negative ? 0x80000000 : 0);
  out[i + 128] =
      (static_cast<unsigned>(__double2hiint(v)) & 0x7fffffff) | (negative ? 0x80000000 : 0);
  out[i + 192] = static_cast<int>(in[i]) >= 0 ? i : ~i;
  const bool is_below = is_nan || (negative && kind != 0);
  out[i + 256] = is_below ? 100 + i : 1 + i;
  out[i + 320] = __float_as_uint(is_below && !is_subnormal ? -2.5f : 1.5f);
  out[i + 384] = static_cast<int>(in[i]) < static_cast<int>(in[i + 64]) ? ~0u : 0;
  out[i + 448] = __float_as_uint(in[i] > in[i + 64] ? 1.0f : 0.0f);
  out[i + 512] = x < y ? 0 : ~0u;
  out[i + 576] = kind != 0 && !is_nan && !is_subnormal && !negative ? ~0u : 0;
  out[i + 640] = __float_as_uint((u != v && !is_nan) != (i < 20) ? 1.0f : 0.0f);
  out[i + 704] = in[i] <= in[i + 64] && i >= 20 ? ~0u : 0;
}

__global__ void small_products_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, a = in[i], b = in[i + 64], c = in[i + 128];
  unsigned d;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i] = d;
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i + 64] = d;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i + 128] = d;
  asm("mul24.hi.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  out[i + 192] = d;
  asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 256] = d;
  asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 320] = d;
  asm("mad24.hi.sat.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c << 1));
  out[i + 384] = d;
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(i));
  out[i + 448] = d;
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(i));
  out[i + 512] = d;
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(i));
  out[i + 576] = d;
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(i));
  out[i + 640] = d;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(i % 32), "r"(static_cast<int>(i % 7) - 3));
  out[i + 704] = d;
  asm("cnot.b32 %0, %1;" : "=r"(d) : "r"(i % 3));
  out[i + 768] = d;
}
__global__ void small_products_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, a = in[i], b = in[i + 64], c = in[i + 128];
  const auto low_24 = [](unsigned x) { return static_cast<long long>(x & 0xffffff); };
  const auto signed_24 = [](unsigned x) {
    return static_cast<long long>(static_cast<int>(x << 8) >> 8);
  };
  const long long product = low_24(a) * low_24(b), with_sign = signed_24(a) * signed_24(b);
  out[i] = static_cast<unsigned>(product);
  out[i + 64] = static_cast<unsigned>(product >> 16);
  out[i + 128] = static_cast<unsigned>(with_sign);
  out[i + 192] = static_cast<unsigned>(with_sign >> 16);
  out[i + 256] = static_cast<unsigned>(with_sign) + c;
  out[i + 320] = static_cast<unsigned>(product >> 16) + c;
  long long sum =
      static_cast<long long>(static_cast<int>(with_sign >> 16)) + static_cast<int>(c << 1);
  sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum;
  out[i + 384] = static_cast<unsigned>(sum);
  const auto extended = [&](unsigned count, bool is_signed) {
    if (count == 0) return 0u;
    if (count >= 32) return a;
    return is_signed ? static_cast<unsigned>(static_cast<int>(a << (32 - count)) >>
                                             static_cast<int>(32 - count))
                     : a & ((1u << count) - 1);
  };
  out[i + 448] = extended(i, false);
  out[i + 512] = extended(i % 32, false);
  out[i + 576] = extended(i, true);
  out[i + 640] = extended(i % 32, true);
  out[i + 704] = __fns(a, i % 32, static_cast<int>(i % 7) - 3);
  out[i + 768] = i % 3 == 0;
}

/// What the sums of the pairs are worth in plain CUDA: `kBits` bits each, of kinds that the signs
/// say.
template <int kBits, class Function>
__device__ unsigned lanes(unsigned a, unsigned b, unsigned c, bool signed_a, bool signed_b,
                          bool adds, int lowest, int largest, const Function& function) {
  constexpr unsigned kMask = (1u << kBits) - 1;
  unsigned sum = c, word = 0;
  for (int at = 0; at < 32; at += kBits) {
    const auto number = [&](unsigned x, bool is_signed) {
      const unsigned bits = x >> at & kMask;
      return is_signed ? static_cast<int>(bits << (32 - kBits)) >> (32 - kBits)
                       : static_cast<int>(bits);
    };
    int t = function(number(a, signed_a), number(b, signed_b));
    if (lowest < largest) t = t < lowest ? lowest : t > largest ? largest : t;
    sum += static_cast<unsigned>(t);
    word |= (static_cast<unsigned>(t) & kMask) << at;
  }
  return adds ? sum : word;
}

__global__ void many_numbers_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, a = in[i] * 3, b = in[i + 64] * 5, c = in[i + 128];
  unsigned d;
  asm("vadd2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
  asm("vadd4.u32.u32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 64] = d;
  asm("vadd4.s32.s32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 128] = d;
  asm("vsub2.s32.u32.u32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 192] = d;
  asm("vsub4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 256] = d;
  asm("vavrg2.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 320] = d;
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 384] = d;
  asm("vabsdiff2.u32.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 448] = d;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 512] = d;
  asm("vabsdiff4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 576] = d;
  asm("vmin2.s32.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 640] = d;
  asm("vmin4.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 704] = d;
  asm("vmax2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 768] = d;
  asm("vmax4.u32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 832] = d;
  asm("vset2.s32.s32.lt %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 896] = d;
  asm("vset4.u32.u32.ge.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i + 960] = d;
}
__global__ void many_numbers_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, a = in[i] * 3, b = in[i + 64] * 5, c = in[i + 128];
  const auto sum = [](int x, int y) { return x + y; };
  const auto difference = [](int x, int y) { return x - y; };
  const auto distance = [](int x, int y) { return x < y ? y - x : x - y; };
  const auto average = [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; };
  const auto smaller = [](int x, int y) { return x < y ? x : y; };
  const auto larger = [](int x, int y) { return x < y ? y : x; };
  out[i] = lanes<16>(a, b, c, true, true, false, 0, 0, sum);
  out[i + 64] = lanes<8>(a, b, c, false, true, false, 0, 255, sum);
  out[i + 128] = lanes<8>(a, b, c, true, false, true, 0, 0, sum);
  out[i + 192] = lanes<16>(a, b, c, false, false, false, -32768, 32767, difference);
  out[i + 256] = lanes<8>(a, b, c, false, false, false, 0, 0, difference);
  out[i + 320] = lanes<16>(a, b, c, true, true, true, 0, 0, average);
  out[i + 384] = lanes<8>(a, b, c, false, false, false, 0, 0, average);
  out[i + 448] = lanes<16>(a, b, c, true, true, false, 0, 0, distance);
  out[i + 512] = lanes<8>(a, b, c, false, false, true, 0, 0, distance);
  out[i + 576] = lanes<8>(a, b, c, true, true, false, -128, 127, distance);
  out[i + 640] = lanes<16>(a, b, c, true, false, false, 0, 0, smaller);
  out[i + 704] = lanes<8>(a, b, c, true, true, true, 0, 0, smaller);
  out[i + 768] = lanes<16>(a, b, c, false, false, false, 0, 0, larger);
  out[i + 832] = lanes<8>(a, b, c, true, true, false, 0, 255, larger);
  out[i + 896] = lanes<16>(a, b, c, true, true, false, 0, 0, [](int x, int y) { return +(x < y); });
  out[i + 960] =
      lanes<8>(a, b, c, false, false, true, 0, 0, [](int x, int y) { return +(x >= y); });
}

__global__ void eight_bits_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, pair = in[i + 64] & 0xbfffbfff;
  const float x = __uint_as_float((in[i] & 0x07ffffff) + 0x3c000000), y = -x / 3;
  unsigned short h;
  unsigned d;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(x), "f"(y));
  out[i] = h;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(x * 50), "f"(y));
  out[i + 64] = h;
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(y), "f"(x));
  out[i + 128] = h;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(h) : "r"(pair));
  out[i + 192] = h;
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;" : "=h"(h) : "r"(pair));
  out[i + 256] = h;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(d) : "h"(static_cast<unsigned short>(in[i] & 0x7e7e)));
  out[i + 320] = d;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(d) : "h"(static_cast<unsigned short>(in[i] & 0xfbfb)));
  out[i + 384] = d;
  asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;"
      : "=r"(d)
      : "h"(static_cast<unsigned short>(in[i] & 0xfbfb)));
  out[i + 448] = d;
}
__global__ void eight_bits_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, pair = in[i + 64] & 0xbfffbfff;
  const float x = __uint_as_float((in[i] & 0x07ffffff) + 0x3c000000), y = -x / 3;
  const auto two = [](float low, float high, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(make_float2(low, high), __NV_SATFINITE, kind);
  };
  const auto without_signs = [](unsigned halves) {
    return (halves & 0x8000 ? 0 : halves & 0xffff) | (halves >> 31 ? 0 : halves & 0xffff0000);
  };
  const auto of_halves = [](unsigned halves, __nv_fp8_interpretation_t kind) {
    __half2_raw raw;
    raw.x = static_cast<unsigned short>(halves);
    raw.y = static_cast<unsigned short>(halves >> 16);
    return __nv_cvt_halfraw2_to_fp8x2(raw, __NV_SATFINITE, kind);
  };
  const auto to_halves = [](unsigned bits, __nv_fp8_interpretation_t kind) {
    const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(bits), kind);
    return static_cast<unsigned>(raw.y) << 16 | raw.x;
  };
  out[i] = two(y, x, __NV_E4M3);
  out[i + 64] = two(y, x * 50, __NV_E5M2);
  out[i + 128] = two(x, 0.0f, __NV_E4M3);
  out[i + 192] = of_halves(pair, __NV_E4M3);
  out[i + 256] = of_halves(without_signs(pair), __NV_E5M2);
  out[i + 320] = to_halves(in[i] & 0x7e7e, __NV_E4M3);
  out[i + 384] = to_halves(in[i] & 0xfbfb, __NV_E5M2);
  out[i + 448] = without_signs(to_halves(in[i] & 0xfbfb, __NV_E5M2));
}

}  // namespace

std::vector<Case> word_cases() {
  return {{"kinds", kinds_ptx, kinds_plain},
          {"small_products", small_products_ptx, small_products_plain},
          {"many_numbers", many_numbers_ptx, many_numbers_plain},
          {"eight_bits", eight_bits_ptx, eight_bits_plain}};
}

}  // namespace ptx_cases
