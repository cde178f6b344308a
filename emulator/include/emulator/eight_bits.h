/// @file
/// The kinds of cuda_fp8.h, and the functions that convert their bits.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "emulator/few_bits.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

/// How numbers that are too large are converted.
enum __nv_saturation_t {
  __NV_NOSAT,      ///< to infinity, or NaN if the format has no infinity
  __NV_SATFINITE,  ///< to the largest number
};
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace emu::detail {

/// Rounds to the nearest number of the format.
template <class Format, class Real>
constexpr __nv_fp8_storage_t eight_bits_in(__nv_saturation_t saturate, Real value) {
  const __nv_fp8_storage_t bits = std::is_same_v<Real, double>
                                      ? encode_double<Format>(Rounding::nearest, value)
                                      : encode<Format>(Rounding::nearest, value);
  const bool too_large = (bits & ~Format::kSign) > Format::kLargest && !is_nan(value);
  if (saturate != __NV_SATFINITE || !too_large) return bits;
  return static_cast<__nv_fp8_storage_t>((bits & Format::kSign) | Format::kLargest);
}
template <class Real>
constexpr __nv_fp8_storage_t eight_bits(Real value, __nv_saturation_t saturate,
                                        __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? eight_bits_in<E4m3Format>(saturate, value)
                           : eight_bits_in<E5m2Format>(saturate, value);
}
template <class Real>
constexpr __nv_fp8x2_storage_t two_of_eight_bits(Real low, Real high, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(eight_bits(low, saturate, kind) |
                                           eight_bits(high, saturate, kind) << 8);
}
constexpr float from_eight_bits(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  const double value = kind == __NV_E4M3 ? decode<E4m3Format>(bits) : decode<E5m2Format>(bits);
  return is_nan(value) ? __builtin_bit_cast(float, 0x7fffffff) : static_cast<float>(value);
}

constexpr __nv_fp8x2_storage_t two_bytes(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
  return static_cast<__nv_fp8x2_storage_t>(low | high << 8);
}

/// The power of 2 that is a number's size, or the next one below or above, as its exponent. What is
/// rounded down is never too large.
constexpr __nv_fp8_storage_t scale_of(const Exact& value, bool saturate, bool rounds_up) {
  constexpr int kBias = 127, kLargest = 254, kNan = 255;
  if (value.significand == 0) return 0;
  const bool is_power = (value.significand & (value.significand - 1)) == 0;
  const int top = 63 - __builtin_clzll(value.significand) + value.exponent;
  const int scale = top + kBias + (rounds_up && !is_power ? 1 : 0);
  if (scale > kLargest) return saturate || !rounds_up ? kLargest : kNan;
  return static_cast<__nv_fp8_storage_t>(scale < 0 ? 0 : scale);
}
constexpr __nv_fp8_storage_t scale_bits(double value, bool saturate, cudaRoundMode rounding) {
  if (is_nan(value)) return 0xff;
  if (is_infinite(value)) return saturate ? 0xfe : 0xff;
  return scale_of(exact(value), saturate, rounding == cudaRoundPosInf);
}
constexpr HalfWord scale_as_bfloat16(__nv_fp8_storage_t x) {
  constexpr HalfWord kSmallest = 0x0040;  // 2^-127 is below the smallest normal number
  return x == 0xff ? Bfloat16Format::kNan : x == 0 ? kSmallest : static_cast<HalfWord>(x << 7);
}

}  // namespace emu::detail

constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
  return emu::detail::eight_bits(x, saturate, kind);
}
constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t kind) {
  return emu::detail::eight_bits(x, saturate, kind);
}
constexpr __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  return emu::detail::eight_bits(emu::detail::float_of(x), saturate, kind);
}
constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                         __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
  return emu::detail::eight_bits(emu::detail::float_of(x), saturate, kind);
}

constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
  return emu::detail::two_of_eight_bits(v.x, v.y, saturate, kind);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
  return emu::detail::two_of_eight_bits(v.x, v.y, saturate, kind);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind) {
  return emu::detail::two_of_eight_bits(emu::detail::float_of(__half_raw{v.x}),
                                        emu::detail::float_of(__half_raw{v.y}), saturate, kind);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v,
                                                              __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t kind) {
  return emu::detail::two_of_eight_bits(emu::detail::float_of(__nv_bfloat16_raw{v.x}),
                                        emu::detail::float_of(__nv_bfloat16_raw{v.y}), saturate,
                                        kind);
}

constexpr __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return {emu::detail::to_word(emu::detail::HalfFormat{}, emu::detail::from_eight_bits(x, kind))};
}
constexpr __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                 __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v >> 8), kind).x};
}

constexpr __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                     cudaRoundMode rounding) {
  return emu::detail::scale_bits(x, saturate == __NV_SATFINITE, rounding);
}
constexpr __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                    cudaRoundMode rounding) {
  return emu::detail::scale_bits(x, saturate == __NV_SATFINITE, rounding);
}
constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x,
                                                          __nv_saturation_t saturate,
                                                          cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(emu::detail::float_of(x), saturate, rounding);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 v, __nv_saturation_t saturate,
                                                          cudaRoundMode rounding) {
  return emu::detail::two_bytes(__nv_cvt_double_to_e8m0(v.x, saturate, rounding),
                                __nv_cvt_double_to_e8m0(v.y, saturate, rounding));
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 v, __nv_saturation_t saturate,
                                                         cudaRoundMode rounding) {
  return emu::detail::two_bytes(__nv_cvt_float_to_e8m0(v.x, saturate, rounding),
                                __nv_cvt_float_to_e8m0(v.y, saturate, rounding));
}
constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw v,
                                                               __nv_saturation_t saturate,
                                                               cudaRoundMode rounding) {
  return emu::detail::two_bytes(
      __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{v.x}, saturate, rounding),
      __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{v.y}, saturate, rounding));
}
constexpr __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return {emu::detail::scale_as_bfloat16(x)};
}
constexpr __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v) {
  return {emu::detail::scale_as_bfloat16(static_cast<__nv_fp8_storage_t>(v)),
          emu::detail::scale_as_bfloat16(static_cast<__nv_fp8_storage_t>(v >> 8))};
}

namespace emu::detail {

/// e4m3 and e5m2: numbers too large become the largest one.
template <__nv_fp8_interpretation_t kind>
struct EightBitKind : KindInBytes {
  template <class Real>
  static constexpr One encode(Real value) {
    return eight_bits(value, __NV_SATFINITE, kind);
  }
  static constexpr float decode(One bits) { return from_eight_bits(bits, kind); }
  static constexpr bool is_true(One bits) { return (bits & 0x7f) != 0; }
};

/// e8m0: powers of 2, to which numbers are rounded up, without their sign.
struct ScaleKind : KindInBytes {
  template <class Real>
  static constexpr One encode(Real value) {
    return scale_bits(value, true, cudaRoundPosInf);
  }
  /// Integers are not rounded before.
  static constexpr One encode_integer(Exact value) { return scale_of(value, true, true); }
  static constexpr float decode(One bits) {
    return to_float(Bfloat16Format{}, scale_as_bfloat16(bits));
  }
  static constexpr bool is_true(One) { return true; }
};

}  // namespace emu::detail
