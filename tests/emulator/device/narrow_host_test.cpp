// Tests half, bfloat16 and 8-bit floats in plain C++, as constants and on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <cmath>
#include <type_traits>
#include <vector>

namespace {

template <class T, int bytes>
constexpr bool is_plain =
    std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T> &&
    sizeof(T) == bytes && alignof(T) == bytes;
static_assert(is_plain<__half, 2> && is_plain<__half2, 4> && is_plain<__half_raw, 2>);
static_assert(is_plain<__nv_bfloat16, 2> && is_plain<__nv_bfloat162, 4>);
static_assert(is_plain<__nv_fp8_e4m3, 1> && is_plain<__nv_fp8x2_e4m3, 2> &&
              is_plain<__nv_fp8x4_e4m3, 4> && is_plain<__nv_fp8_e5m2, 1>);
static_assert(std::is_same_v<half, __half> && std::is_same_v<half2, __half2> &&
              std::is_same_v<nv_bfloat162, __nv_bfloat162>);

constexpr __half kOne = __half_raw{0x3c00};
static_assert(__heq(kOne, 1) && __half_as_ushort(__hadd(kOne, kOne)) == 0x4000);

}  // namespace

TEST_CASE("a number too large is infinite, or the largest one if it is rounded towards zero") {
  CHECK(__half_as_ushort(__float2half(65519.0f)) == 0x7bff);
  CHECK(__half_as_ushort(__float2half(65520.0f)) == 0x7c00);
  CHECK(__half_as_ushort(__float2half_rz(1e30f)) == 0x7bff);
  CHECK(__half_as_ushort(__float2half_rd(1e30f)) == 0x7bff);
  CHECK(__half_as_ushort(__float2half_ru(-1e30f)) == 0xfbff);
  CHECK(__half_as_ushort(__float2half_rd(-1e30f)) == 0xfc00);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(3.4e38f)) == 0x7f7f);
  CHECK(__bfloat16_as_ushort(__float2bfloat16(3.4e38f)) == 0x7f80);
}

TEST_CASE("the smallest numbers are not flushed to zero") {
  CHECK(__half2float(CUDART_MIN_DENORM_FP16) == 0x1p-24f);
  CHECK(__half_as_ushort(__float2half(0x1p-25f)) == 0);  // a tie, to even
  CHECK(__half_as_ushort(__float2half(0x1.8p-25f)) == 1);
  CHECK(__half_as_ushort(__float2half_ru(0x1p-140f)) == 1);
  CHECK(__half2float(__half(0x1p-14f) / __half(4)) == 0x1p-16f);
}

TEST_CASE("doubles and integers are rounded once") {
  // Rounding to float first would give 3c00.
  CHECK(__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
  CHECK(__bfloat16_as_ushort(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 0x3f81);
  CHECK(__bfloat162float(__int2bfloat16_rn((1 << 30) + (1 << 22) + 1)) == 0x1.02p30f);
  CHECK(__bfloat162float(__ull2bfloat16_rz(~0ull)) == 0x1.fep63f);
  CHECK(std::isinf(__half2float(__ll2half_rn(1ll << 40))));
}

TEST_CASE("a fused multiply-add is rounded once") {
  // (1 + 2^-10)^2 - (1 + 2^-9): a rounded square would give 0.
  const __half x16 = __ushort_as_half(0x3c01), square = __hmul(x16, x16);
  CHECK(__half2float(__hsub(square, square)) == 0);
  CHECK(__half2float(__hfma(x16, x16, __hneg(square))) == 0x1p-20f);
  // A tiny addend decides a tie; a double cannot hold it together with the tie.
  const __nv_bfloat16 tiny(0x1p-100f);
  const __nv_bfloat16 a(1.0f + 0x1p-4f);  // a * a = 1 + 2^-3 + 2^-8
  CHECK(__bfloat162float(__hfma(a, a, __nv_bfloat16(0))) == 1.125f);
  CHECK(__bfloat162float(__hfma(a, a, tiny)) == 1.125f + 0x1p-7f);
  CHECK(__bfloat162float(__hfma(a, a, __hneg(tiny))) == 1.125f);
}

TEST_CASE("lanes of pairs") {
  const half2 v(1, 2), w(3, 4);
  CHECK(__lows2half2(v, w) == half2(1, 3));
  CHECK(__highs2half2(v, w) == half2(2, 4));
  CHECK(__low2half2(v) == half2(1, 1));
  CHECK(__high2half2(v) == half2(2, 2));
  CHECK(__lowhigh2highlow(v) == half2(2, 1));
  CHECK(__halves2half2(__low2half(v), __high2half(w)) == half2(1, 4));
  CHECK(make_half2(5, 6) == half2(5, 6));
  CHECK(__half2half2(7) == __float2half2_rn(7));
  CHECK(__half22float2(__floats2half2_rn(8, 9)).y == 9);
  CHECK(__half22float2(__float22half2_rn({8, 9})).x == 8);
  const nv_bfloat162 b(1, 2), c(3, 4);
  CHECK(__lows2bfloat162(b, c) == nv_bfloat162(1, 3));
  CHECK(__highs2bfloat162(b, c) == nv_bfloat162(2, 4));
  CHECK(__low2bfloat162(b) == __bfloat162bfloat162(1));
  CHECK(__high2bfloat162(b) == __float2bfloat162_rn(2));
  CHECK(__halves2bfloat162(__low2bfloat16(b), __high2bfloat16(c)) == make_bfloat162(1, 4));
  CHECK(__bfloat1622float2(__floats2bfloat162_rn(8, 9)).y == 9);
  __half2 z = v;
  z += w;
  ++z;
  CHECK(z-- == half2(5, 7));
  CHECK(z == half2(4, 6));
  CHECK(__half2_raw(z).y == __half_as_ushort(6));
}

TEST_CASE("bits, and what is volatile") {
  CHECK(__short_as_half(static_cast<short>(0xc000)) == half(-2));
  CHECK(__half_as_short(half(-2)) == static_cast<short>(0xc000));
  CHECK(__bfloat16_as_short(__short_as_bfloat16(0x3f80)) == 0x3f80);
  volatile half shared = {};
  shared = half(3);
  const half copy = shared;
  CHECK(copy == half(3));
  half assigned;
  assigned = __half_raw{0x3c00};
  CHECK(assigned == CUDART_ONE_FP16);
  CHECK(half(nv_bfloat16(2.5f)) == half(2.5f));
  CHECK(nv_bfloat16(half(2.5f)) == nv_bfloat16(2.5f));
}

TEST_CASE("CUDA's constants") {
  CHECK(__hisinf(CUDART_INF_FP16) == 1);
  CHECK(__hisnan(CUDART_NAN_FP16));
  CHECK(__half2float(CUDART_MAX_NORMAL_FP16) == 65504);
  CHECK(std::signbit(__half2float(CUDART_NEG_ZERO_FP16)));
  CHECK(CUDART_ZERO_FP16 == CUDART_NEG_ZERO_FP16);
  CHECK(__hisinf(__hneg(CUDART_INF_BF16)) == -1);
  CHECK(__hisnan(CUDART_NAN_BF16));
  CHECK(__bfloat162float(CUDART_MAX_NORMAL_BF16) == 0x1.fep127f);
  CHECK(__bfloat162float(CUDART_MIN_DENORM_BF16) == 0x1p-133f);
  CHECK(CUDART_ONE_BF16 == nv_bfloat16(1));
  CHECK(CUDART_ZERO_BF16 == CUDART_NEG_ZERO_BF16);
}

TEST_CASE("8-bit types have no infinity, or take the largest number instead") {
  CHECK(__nv_fp8_e4m3(1e9f).__x == 0x7e);
  CHECK(static_cast<float>(__nv_fp8_e4m3(-1e9f)) == -448);
  CHECK(__nv_fp8_e5m2(1e9f).__x == 0x7b);
  CHECK(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3) == 0x7e);  // a tie, to even
  CHECK(__nv_cvt_float_to_fp8(464.1f, __NV_NOSAT, __NV_E4M3) == 0x7f);
  CHECK(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2) == 0x7c);
  const __nv_fp8x4_e4m3 four(float4{1, 2, -3, 0.5f});
  const float4 back = static_cast<float4>(four);
  CHECK(back.x == 1);
  CHECK(back.z == -3);
  CHECK(back.w == 0.5f);
  const __nv_fp8x2_e5m2 two(half2(1, 2));
  CHECK(static_cast<half2>(two) == half2(1, 2));
}
