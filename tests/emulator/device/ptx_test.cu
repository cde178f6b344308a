// Tests inline PTX instructions against plain CUDA C++ or the PTX ISA's definitions.
#include <cstdint>

#include "device_array.hpp"

namespace {

constexpr int kThreads = 32;

// Returns values for which mistakes are likely, and some in between.
__device__ unsigned operand(unsigned i) {
  const unsigned edges[] = {0, 1, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff};
  return i < 8 ? edges[i] : i * 2654435761u;
}

/// Tries every pair of 32 values; a difference from the plain form sets the bit of its case.
__global__ void integers(unsigned* differs) {
  const unsigned a = operand(threadIdx.x);
  unsigned wrong = 0;
  for (unsigned j = 0; j < 32; ++j) {
    const unsigned b = operand(j), c = operand((threadIdx.x + j) % 32);
    const int sa = static_cast<int>(a), sb = static_cast<int>(b);
    unsigned d, e;
    unsigned long long w;
    asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    wrong |= (d != a + b) << 0;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != a * b + c) << 1;
    asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != static_cast<unsigned>(__mulhi(sa, sb)) + c) << 2;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b));
    wrong |= (w != static_cast<unsigned long long>(a) * b) << 3;
    asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    wrong |= (d != (b < 32 ? a << b : 0)) << 4;
    asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    wrong |= (d != static_cast<unsigned>(sa >> (b < 31 ? b : 31))) << 5;
    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != __funnelshift_lc(a, b, c)) << 6;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != __funnelshift_r(a, b, c)) << 7;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != (a ^ b ^ c)) << 8;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(0xca));
    wrong |= (d != ((a & b) | (~a & c))) << 9;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c & 0x7777));
    wrong |= (d != __byte_perm(a, b, c)) << 10;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != static_cast<unsigned>(__dp4a(sa, sb, static_cast<int>(c)))) << 11;
    asm("{ .reg .pred p, q; setp.lt.s32 p, %1, %2; setp.ne.and.u32 q, %1, 0, p;\n\t"
        "  selp.b32 %0, %1, %2, q; }"
        : "=r"(d)
        : "r"(a), "r"(b));
    wrong |= (d != (sa < sb && a != 0 ? a : b)) << 12;
    d = c;
    asm volatile(
        "{\n  .reg .pred %%p;  // a scope of its own\n  setp.hi.u32 %%p, %1, %2;\n"
        "  @%%p add.u32 %0, %0, 1;\n  @!%%p sub.u32 %0, %0, 1;\n}"
        : "+r"(d)
        : "r"(a), "r"(b)
        : "memory");
    wrong |= (d != (a > b ? c + 1 : c - 1)) << 13;
    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(a), "r"(b));
    wrong |= (w != (static_cast<unsigned long long>(b) << 32 | a)) << 14;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(d), "=r"(e) : "l"(w));
    wrong |= (d != a || e != b) << 15;
    asm("clz.b32 %0, %1;" : "=r"(d) : "r"(a));
    wrong |= (d != static_cast<unsigned>(__clz(sa))) << 16;
    asm("popc.b32 %0, %1;" : "=r"(d) : "r"(a));
    wrong |= (d != static_cast<unsigned>(__popc(a))) << 17;
    asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
    wrong |= (d != __brev(a)) << 18;
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(d) : "r"(a));
    wrong |= (d != static_cast<unsigned>(sa < -128 ? -128 : sa > 127 ? 127 : sa)) << 19;
    // Extracts and inserts the field as in the ISA's own loop.
    unsigned taken = 0, put = b;
    const unsigned position = b & 0xff, length = c & 0xff;
    const unsigned top = position + length - 1 < 31 ? position + length - 1 : 31;
    const unsigned sign = length == 0 ? 0 : a >> top & 1;
    for (unsigned i = 0; i < 32; ++i)
      taken |= (i < length && position + i <= 31 ? a >> (position + i) & 1 : sign) << i;
    for (unsigned i = 0; i < length && position + i <= 31; ++i)
      put = (put & ~(1u << (position + i))) | (i < 32 ? a >> i & 1 : 0) << (position + i);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != taken) << 20;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(b), "r"(c));
    wrong |= (d != put) << 21;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    wrong |= (d != __sad(sa, sb, c)) << 22;
    asm("max.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    wrong |= (d != static_cast<unsigned>(sa > sb ? sa : sb)) << 23;
  }
  atomicOr(differs, wrong);
}

__global__ void known_values(unsigned* out) {
  unsigned d;
  asm("prmt.b32 %0, %1, %2, 0x8c10;" : "=r"(d) : "r"(0x00000072u), "r"(0x00000080u));
  out[0] = d;  // bytes 0 and 1, then the signs of bytes 4 and 0
  asm("prmt.b32.b4e %0, %1, %2, 1;" : "=r"(d) : "r"(0x33221100u), "r"(0x77665544u));
  out[1] = d;
  asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(0u));
  out[2] = d;
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(d) : "r"(0xffff0000u));
  out[3] = d;
  asm("mov.u32 %0, %%laneid;" : "=r"(d));
  out[4] = d;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(d) : "f"(2.5f));
  out[5] = d;
  asm("cvt.rzi.s32.f32 %0, 0f7F800000;" : "=r"(d));
  out[6] = d;
  asm("cvt.u32.s8 %0, %1;" : "=r"(d) : "r"(0x1ffu));
  out[7] = d;
}

// a, b, and the results of bmsk with .clamp and .wrap on an H200.
constexpr unsigned kMasks[][4] = {
    {0, 0, 0, 0},
    {0, 1, 1, 1},
    {0, 31, 0x7fffffff, 0x7fffffff},
    {0, 32, 0xffffffff, 0},
    {4, 28, 0xfffffff0, 0xfffffff0},
    {31, 2, 0x80000000, 0x80000000},
    {32, 1, 0, 1},
    {33, 4, 0, 0x1e},
    {40, 40, 0, 0xff00},
    {16, 17, 0xffff0000, 0xffff0000},
    {0, 33, 0xffffffff, 1},
    {0xffffffff, 5, 0, 0x80000000},
    {3, 0xffffffff, 0xfffffff8, 0xfffffff8},
    {8, 64, 0xffffff00, 0},
};

__global__ void masks(const unsigned (*cases)[4], unsigned* differs) {
  const unsigned a = cases[threadIdx.x][0], b = cases[threadIdx.x][1];
  unsigned clamped, wrapped;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(clamped) : "r"(a), "r"(b));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(wrapped) : "r"(a), "r"(b));
  if (clamped != cases[threadIdx.x][2] || wrapped != cases[threadIdx.x][3]) atomicAdd(differs, 1);
}

__device__ void leave_every_third() {
  if (threadIdx.x % 3 == 0) asm volatile("exit;");
}

/// Some lanes exit from a function; the others meet and add to [64] with the operation named first.
__global__ void leave_early(unsigned* out) {
  leave_every_third();
  out[threadIdx.x] = 1;
  __syncthreads();
  unsigned before;
  asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(out + 64) : "memory");
}

// Register names with one % and with two, with and without operands.
__global__ void special_registers(unsigned* out, unsigned long long* times) {
  const unsigned i = threadIdx.x;
  unsigned once = 0, twice = 0;
  asm("mov.u32 %0, %laneid;" : "=r"(once));
  asm("mov.u32 %0, %%laneid;" : "=r"(twice));
  out[i] = (once == i % 32) + 2 * (once == twice);
  asm("mov.u32 %0, %warpid;" : "=r"(once));
  out[i] += 4 * (once == i / 32);
  asm("mov.u32 %0, %smid;" : "=r"(once));
  asm("mov.u32 %0, %nsmid;" : "=r"(twice));
  out[i] += 8 * (once < twice);
  asm("{ .reg .u32 %half; add.u32 %half, %tid.x, %ntid.x; shr.u32 %0, %half, 1; }" : "=r"(once));
  out[i] += 16 * (once == (i + blockDim.x) / 2);
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(times[2 * i]));
  asm volatile("{ .reg .u32 %r; mov.u32 %r, %laneid; add.u32 %r, %r, 1; }");
  asm volatile("mov.u64 %0, %clock64;" : "=l"(times[2 * i + 1])::"memory");
}

__global__ void floats(float* out, double* wide) {
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(out[0]) : "f"(3.0f), "f"(5.0f), "f"(0.5f));
  asm("min.f32 %0, %1, %2;" : "=f"(out[1]) : "f"(0.0f), "f"(-0.0f));
  asm("add.rp.f32 %0, 0f3F800000, %1;" : "=f"(out[2]) : "f"(1e-20f));
  asm("add.rz.f32 %0, 1.0, %1;" : "=f"(out[3]) : "f"(1e-20f));
  asm("cvt.rm.f32.u32 %0, %1;" : "=f"(out[4]) : "r"(0xffffffffu));
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide[0]) : "f"(0.5f));
  asm("div.rn.f64 %0, %1, %2;" : "=d"(wide[1]) : "d"(1.0), "d"(4.0));
}

}  // namespace

TEST_CASE("integer instructions of inline PTX equal their plain forms") {
  DeviceArray<unsigned> differs(1);
  differs[0] = 0;
  integers<<<1, kThreads>>>(differs.data());
  require_finished();
  CHECK(differs[0] == 0);
}

TEST_CASE("corner cases of inline PTX are as the ISA says") {
  DeviceArray<unsigned> out(8);
  known_values<<<1, 1>>>(out.data());
  require_finished();
  const unsigned expected[] = {0x00ff0072, 0x66770011, 0xffffffff, 16,
                               0,          2,          0x7fffffff, 0xffffffff};
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

TEST_CASE("bmsk of inline PTX masks as a device does") {
  constexpr unsigned kCases = sizeof kMasks / sizeof kMasks[0];
  DeviceArray<unsigned> cases(4 * kCases), differs(1);
  for (unsigned i = 0; i < 4 * kCases; ++i) cases[i] = kMasks[i / 4][i % 4];
  differs[0] = 0;
  masks<<<1, kCases>>>(reinterpret_cast<const unsigned(*)[4]>(cases.data()), differs.data());
  require_finished();
  CHECK(differs[0] == 0);
}

TEST_CASE("exit of inline PTX ends a lane from within a function") {
  DeviceArray<unsigned> out(65);
  for (unsigned i = 0; i < 65; ++i) out[i] = 0;
  leave_early<<<1, 64>>>(out.data());
  require_finished();
  for (unsigned i = 0; i < 64; ++i) CHECK(out[i] == (i % 3 != 0));
  CHECK(out[64] == 42);
}

TEST_CASE("floating-point instructions of inline PTX round as they say") {
  DeviceArray<float> out(5);
  DeviceArray<double> wide(2);
  floats<<<1, 1>>>(out.data(), wide.data());
  require_finished();
  CHECK(out[0] == 15.5f);
  CHECK(__builtin_signbit(out[1]));
  CHECK(out[2] == 1.0f + 1.1920929e-7f);
  CHECK(out[3] == 1.0f);
  CHECK(out[4] == 4294967040.0f);
  CHECK(wide[0] == 0.5);
  CHECK(wide[1] == 0.25);
}

TEST_CASE("inline PTX: special registers with one % and with two") {
  DeviceArray<unsigned> out(kThreads);
  DeviceArray<unsigned long long> times(2 * kThreads);
  special_registers<<<1, kThreads>>>(out.data(), times.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) {
    CHECK(out[i] == 31);
    CHECK(times[2 * i] != 0);
    CHECK(times[2 * i + 1] != 0);
  }
}
