/// @file
/// Common parts of the types in cuda_fp8.h, and the functions that convert their bits.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

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

/// Converts a raw type to a float, which can hold each of its values.
constexpr float float_of(__half_raw x) { return to_float(HalfFormat{}, x.x); }
constexpr float float_of(__nv_bfloat16_raw x) { return to_float(Bfloat16Format{}, x.x); }

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

namespace emu::detail {

/// Members of __nv_fp8_e4m3 and __nv_fp8_e5m2; numbers that are too large become the largest one.
template <__nv_fp8_interpretation_t kind>
struct EightBits {
  EightBits() = default;
  explicit constexpr EightBits(__half value)
      : __x(eight_bits(float_of(value), __NV_SATFINITE, kind)) {}
  explicit constexpr EightBits(__nv_bfloat16 value)
      : __x(eight_bits(float_of(value), __NV_SATFINITE, kind)) {}
  explicit constexpr EightBits(float value) : __x(eight_bits(value, __NV_SATFINITE, kind)) {}
  explicit constexpr EightBits(double value) : __x(eight_bits(value, __NV_SATFINITE, kind)) {}
  explicit constexpr EightBits(short value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(unsigned short value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(int value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(unsigned value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(long value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(unsigned long value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(long long value) : EightBits(static_cast<float>(value)) {}
  explicit constexpr EightBits(unsigned long long value) : EightBits(static_cast<float>(value)) {}

  explicit constexpr operator __half() const { return number_of<__half>(value()); }
  explicit constexpr operator __nv_bfloat16() const { return number_of<__nv_bfloat16>(value()); }
  explicit constexpr operator float() const { return value(); }
  explicit constexpr operator double() const { return value(); }
  explicit operator signed char() const { return integer<signed char>(); }
  explicit operator unsigned char() const { return integer<unsigned char>(); }
  explicit operator char() const { return integer<char>(); }
  explicit operator short() const { return integer<short>(); }
  explicit operator unsigned short() const { return integer<unsigned short>(); }
  explicit operator int() const { return integer<int>(); }
  explicit operator unsigned() const { return integer<unsigned>(); }
  explicit operator long() const { return integer<long>(); }
  explicit operator unsigned long() const { return integer<unsigned long>(); }
  explicit operator long long() const { return integer<long long>(); }
  explicit operator unsigned long long() const { return integer<unsigned long long>(); }
  explicit constexpr operator bool() const { return (__x & 0x7f) != 0; }

  __nv_fp8_storage_t __x;

 private:
  constexpr float value() const { return from_eight_bits(__x, kind); }
  template <class Integer>
  Integer integer() const {
    return to_integer<Integer>(Rounding::zero, value());
  }
};

/// Members of __nv_fp8x2_e4m3 and __nv_fp8x2_e5m2; the first number has the lower bits.
template <__nv_fp8_interpretation_t kind>
struct TwoOfEightBits {
  TwoOfEightBits() = default;
  explicit constexpr TwoOfEightBits(__half2 v) : TwoOfEightBits(float_of(v.x), float_of(v.y), 0) {}
  explicit constexpr TwoOfEightBits(__nv_bfloat162 v)
      : TwoOfEightBits(float_of(v.x), float_of(v.y), 0) {}
  explicit constexpr TwoOfEightBits(float2 v) : TwoOfEightBits(v.x, v.y, 0) {}
  explicit constexpr TwoOfEightBits(double2 v) : TwoOfEightBits(v.x, v.y, 0) {}

  explicit constexpr operator __half2() const {
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));
  }
  explicit constexpr operator float2() const {
    return {from_eight_bits(static_cast<__nv_fp8_storage_t>(__x), kind),
            from_eight_bits(static_cast<__nv_fp8_storage_t>(__x >> 8), kind)};
  }

  __nv_fp8x2_storage_t __x;

 private:
  template <class Real>
  constexpr TwoOfEightBits(Real low, Real high, int)
      : __x(two_of_eight_bits(low, high, __NV_SATFINITE, kind)) {}
};

/// Members of __nv_fp8x4_e4m3 and __nv_fp8x4_e5m2.
template <__nv_fp8_interpretation_t kind>
struct FourOfEightBits {
  using Two = TwoOfEightBits<kind>;

  FourOfEightBits() = default;
  explicit constexpr FourOfEightBits(__half2 low, __half2 high)
      : FourOfEightBits(Two(low), Two(high)) {}
  explicit constexpr FourOfEightBits(__nv_bfloat162 low, __nv_bfloat162 high)
      : FourOfEightBits(Two(low), Two(high)) {}
  explicit constexpr FourOfEightBits(float4 v)
      : FourOfEightBits(Two(float2{v.x, v.y}), Two(float2{v.z, v.w})) {}
  explicit constexpr FourOfEightBits(double4 v)
      : FourOfEightBits(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}
  explicit constexpr FourOfEightBits(double4_16a v)
      : FourOfEightBits(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}
  explicit constexpr FourOfEightBits(double4_32a v)
      : FourOfEightBits(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}

  explicit constexpr operator float4() const { return {value(0), value(1), value(2), value(3)}; }

  __nv_fp8x4_storage_t __x;

 private:
  constexpr FourOfEightBits(Two low, Two high)
      : __x(low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16) {}
  constexpr float value(int index) const {
    return from_eight_bits(static_cast<__nv_fp8_storage_t>(__x >> (8 * index)), kind);
  }
};

}  // namespace emu::detail
