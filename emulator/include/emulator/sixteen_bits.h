/// @file
/// Common parts of __half and __nv_bfloat16: members and arithmetic.
///
/// Sums, products and quotients are computed as floats and rounded again. The result equals a
/// single rounding, because a float has twice the digits of either format plus two. Only the fused
/// multiply-add needs more (`multiply_add`). Functions are computed as doubles. A NaN result is
/// always 0x7fff.
///
/// Functions with reference parameters are always inlined, so that loads belong to the caller's
/// line.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/device_conversions.h"
#include "emulator/device_math.h"
#include "emulator/narrow_format.h"
#include "host_defines.h"
#include "vector_types.h"

namespace emu::detail {

using HalfWord = unsigned short;

// Converts between the bits of a float and a half almost without branches.
constexpr float to_float(HalfFormat, HalfWord word) {
  constexpr unsigned kSign = 0x8000, kInfinity = 0x7c00;
  const unsigned size = word & 0x7fffu;
  const unsigned sign = (word & kSign) << 16;
  if (size >= kInfinity) {
    return __builtin_bit_cast(float, size > kInfinity ? 0x7fffffffu : sign | 0x7f800000u);
  }
  // The difference of the biases; subnormal numbers become normal.
  constexpr float kScale = 0x1p112f;
  const float value = __builtin_bit_cast(float, size << 13) * kScale;
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) | sign);
}

constexpr HalfWord to_word(HalfFormat, float value) {
  constexpr unsigned kFirstNormal = 0x38800000, kTooLarge = 0x47800000, kNan = 0x7f800000;
  const auto bits = __builtin_bit_cast(unsigned, value);
  const unsigned size = bits & 0x7fffffffu;
  const unsigned sign = bits >> 16 & 0x8000u;
  if (size > kNan) return HalfFormat::kNan;
  if (size >= kTooLarge) return static_cast<HalfWord>(sign | HalfFormat::kOverflow);
  if (size < kFirstNormal) {  // a sum with 1/2 has its last bit at a subnormal half's last bit
    const float sum = __builtin_bit_cast(float, size) + 0.5f;
    return static_cast<HalfWord>(sign | (__builtin_bit_cast(unsigned, sum) - 0x3f000000u));
  }
  constexpr unsigned kBiases = 112u << 23;
  return static_cast<HalfWord>(sign | ((size - kBiases + 0xfff + (size >> 13 & 1)) >> 13));
}

constexpr float to_float(Bfloat16Format, HalfWord word) {
  return __builtin_bit_cast(float, static_cast<unsigned>(word) << 16);
}

constexpr HalfWord to_word(Bfloat16Format, float value) {
  const auto bits = __builtin_bit_cast(unsigned, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return Bfloat16Format::kNan;
  return static_cast<HalfWord>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// CUDA's types are derived from classes in a namespace that has no functions. When a program calls
// one of its own functions with a __half, g++ also looks in the namespaces of the type's bases.
namespace types {

/// A 16-bit number and its bits. `converts`: a macro of CUDA disables conversions.
template <class Format_, class Raw, bool converts>
struct SixteenBits {
  using Format = Format_;

  SixteenBits() = default;
  __forceinline__ constexpr SixteenBits(const Raw& raw) : __x(raw.x) {}
  __forceinline__ constexpr operator Raw() const { return {__x}; }
  __forceinline__ operator Raw() const volatile { return {__x}; }

 protected:
  unsigned short __x;
};

/// The same with implicit conversions from and to all number types: rounded to the nearest number,
/// but towards zero for integers.
template <class Format, class Raw>
struct SixteenBits<Format, Raw, true> : SixteenBits<Format, Raw, false> {
  using Base = SixteenBits<Format, Raw, false>;
  using Base::Base;

  SixteenBits() = default;
  constexpr SixteenBits(float value) : Base(Raw{to_word(Format{}, value)}) {}
  constexpr SixteenBits(double value)
      : Base(Raw{encode_double<Format>(Rounding::nearest, value)}) {}
  constexpr SixteenBits(short value) : SixteenBits(static_cast<int>(value)) {}
  constexpr SixteenBits(unsigned short value) : SixteenBits(static_cast<int>(value)) {}
  constexpr SixteenBits(int value) : SixteenBits(static_cast<double>(value)) {}
  constexpr SixteenBits(unsigned value) : SixteenBits(static_cast<double>(value)) {}
  constexpr SixteenBits(long value) : SixteenBits(static_cast<long long>(value)) {}
  constexpr SixteenBits(unsigned long value)
      : SixteenBits(static_cast<unsigned long long>(value)) {}
  constexpr SixteenBits(long long value)
      : Base(Raw{encode<Format>(Rounding::nearest, exact(value))}) {}
  constexpr SixteenBits(unsigned long long value)
      : Base(Raw{encode<Format>(Rounding::nearest, exact(value))}) {}

  __forceinline__ constexpr operator float() const { return to_float(Format{}, __x); }
  __forceinline__ operator signed char() const { return integer<signed char>(); }
  __forceinline__ operator unsigned char() const { return integer<unsigned char>(); }
  __forceinline__ operator char() const { return integer<char>(); }
  __forceinline__ operator short() const { return integer<short>(); }
  __forceinline__ operator unsigned short() const { return integer<unsigned short>(); }
  __forceinline__ operator int() const { return integer<int>(); }
  __forceinline__ operator unsigned() const { return integer<unsigned>(); }
  __forceinline__ operator long() const { return integer<long>(); }
  __forceinline__ operator unsigned long() const { return integer<unsigned long>(); }
  __forceinline__ operator long long() const { return integer<long long>(); }
  __forceinline__ operator unsigned long long() const { return integer<unsigned long long>(); }
  __forceinline__ constexpr operator bool() const { return (__x & 0x7fff) != 0; }

 protected:
  using Base::__x;

 private:
  template <class Integer>
  __forceinline__ Integer integer() const {
    return to_integer<Integer>(Rounding::zero, to_float(Format{}, __x));
  }
};

}  // namespace types

// ---------------------------------------------------------------------------- bits and rounding

template <class Number>
constexpr HalfWord word_of(Number value) {
  return __builtin_bit_cast(HalfWord, value);
}
template <class Number>
constexpr Number of_word(HalfWord word) {
  return __builtin_bit_cast(Number, word);
}
template <class Number>
constexpr float float_of(Number value) {
  return to_float(typename Number::Format{}, word_of(value));
}
template <class Number>
constexpr Number number_of(float value) {
  return of_word<Number>(to_word(typename Number::Format{}, value));
}
template <class Number>
constexpr Number rounded_from(Rounding rounding, double value) {
  return of_word<Number>(encode<typename Number::Format>(rounding, value));
}
template <class Number>
constexpr Number number_of_double(double value) {
  return of_word<Number>(encode_double<typename Number::Format>(Rounding::nearest, value));
}
template <class Number, class Integer>
constexpr Number rounded_from_integer(Rounding rounding, Integer value) {
  return of_word<Number>(encode<typename Number::Format>(rounding, exact(value)));
}
template <class Number>
constexpr Number nan_of() {
  return of_word<Number>(Number::Format::kNan);
}
template <class Integer, class Number>
Integer integer_of(Rounding rounding, Number value) {
  return to_integer<Integer>(rounding, float_of(value));
}

// ------------------------------------------------------------------------------------ arithmetic

template <class Number>
constexpr bool is_nan_number(Number x) {
  return (word_of(x) & 0x7fff) > Number::Format::kOverflow;
}

/// 1 or 0.
template <class Number>
constexpr Number truth(bool holds) {
  return number_of<Number>(holds ? 1 : 0);
}

/// Clamps to [0, 1]; NaN becomes 0.
template <class Number>
constexpr Number saturated_number(Number x) {
  const float value = float_of(x);
  return value > 0 ? value < 1 ? x : number_of<Number>(1) : of_word<Number>(0);
}

/// Clamps negative numbers to 0; NaN stays.
template <class Number>
constexpr Number without_negative(Number x) {
  return float_of(x) > 0 ? x : is_nan_number(x) ? nan_of<Number>() : of_word<Number>(0);
}

template <class Number>
constexpr Number fused(Number x, Number y, Number z) {
  return rounded_from<Number>(Rounding::nearest,
                              multiply_add(float_of(x), float_of(y), float_of(z)));
}

/// Approximates tanh as a GPU's instruction does.
float approximate_tanh(HalfFormat, float x) noexcept;
float approximate_tanh(Bfloat16Format, float x) noexcept;

/// Computes `function` of the number as a double and rounds the result.
template <class Number, class Function>
constexpr Number rounded_result(Number x, const Function& function) {
  return rounded_from<Number>(Rounding::nearest, function(static_cast<double>(float_of(x))));
}

// ----------------------------------------------------------------------------------------- pairs

namespace types {

/// Members of __half2 and __nv_bfloat162.
template <class Number, class RawPair>
struct PairOf {
  PairOf() = default;
  __forceinline__ constexpr PairOf(const Number& low, const Number& high) : x(low), y(high) {}
  __forceinline__ constexpr PairOf(const RawPair& raw)
      : x(of_word<Number>(raw.x)), y(of_word<Number>(raw.y)) {}
  __forceinline__ constexpr operator RawPair() const { return {word_of(x), word_of(y)}; }

  Number x, y;
};

}  // namespace types

}  // namespace emu::detail
