// Tests that programs may define their own conversions, operators and short names after disabling
// CUDA's by its macros.
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CUDA_NO_HALF
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <type_traits>

namespace {

using half = float;  // a name that the program defines

static_assert(!std::is_convertible_v<__half, float> && !std::is_constructible_v<__half, float>);
static_assert(!std::is_constructible_v<__nv_bfloat16, int>);

}  // namespace

__half operator+(__half x, __half y) { return __hsub(x, y); }
__half2 operator+(__half2 v, __half2 w) { return __hsub2(v, w); }

TEST_CASE("without conversions and operators the functions still work") {
  const half three = 3;
  const __half x = __float2half(three), y = __float2half(2);
  CHECK(__half2float(__hadd(x, y)) == 5);
  CHECK(__half2float(x + y) == 1);
  CHECK(__high2float(__half2(x, x) + __half2(y, y)) == 1);
  CHECK(__hgt(x, y));
  CHECK(__half2float(hsqrt(__float2half(9))) == 3);
  CHECK(__bfloat162float(__hmul(__float2bfloat16(2), __float2bfloat16(3))) == 6);
  CHECK(__bfloat162float(__float2bfloat16(2) + __float2bfloat16(3)) == 5);
  CHECK(__nv_fp8_e4m3(x).__x == 0x44);
  CHECK(__half2float(__half(__float2bfloat16(2))) == 2);
}
