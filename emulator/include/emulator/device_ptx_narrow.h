/// @file
/// Inline PTX of 16-bit floating-point numbers, single and in pairs. Results are computed exactly
/// as double and rounded once. Source for all instructions: PTX ISA 8.8, chapters 9.7.4 and
/// 9.7.9.21.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/narrow_format.h"
#include "host_defines.h"

namespace emu::ptx {

struct relu_ {};

template <class Type>
using FormatOf = std::conditional_t<is<Type, f16_> || is<Type, f16x2_>, detail::HalfFormat,
                                    detail::Bfloat16Format>;
template <class Type>
inline constexpr bool is_pair = is<Type, f16x2_> || is<Type, bf16x2_>;
template <class Type>
using Word = std::conditional_t<is_pair<Type>, std::uint32_t, std::uint16_t>;

/// Applies `function` to the bits of one number, or of both numbers of a pair.
template <class Type, class Result, class Function, class... Operands>
__forceinline__ void for_each_number(Result& d, const Function& function, Operands... operands) {
  if constexpr (is_pair<Type>) {
    const std::uint32_t low = function(static_cast<std::uint16_t>(get<std::uint32_t>(operands))...);
    const std::uint32_t high =
        function(static_cast<std::uint16_t>(get<std::uint32_t>(operands) >> 16)...);
    set(d, high << 16 | low);
  } else {
    set(d, static_cast<std::uint16_t>(function(get<std::uint16_t>(operands)...)));
  }
}

/// Flushes subnormal numbers to zero with .ftz.
template <class Ftz, class Type>
__forceinline__ double number_of(std::uint16_t bits) {
  using Format = FormatOf<Type>;
  constexpr std::uint16_t kExponents =
      static_cast<std::uint16_t>((Format::kSign - 1) & ~((1u << Format::kMantissaBits) - 1));
  if (is<Ftz, ftz_> && (bits & kExponents) == 0) bits &= Format::kSign;
  return detail::decode<Format>(bits);
}

template <class Ftz, class Limit, class Type>
__forceinline__ std::uint16_t bits_of(double value) {
  if constexpr (is<Limit, sat_>) value = value > 0 ? value < 1 ? value : 1.0 : 0.0;
  if constexpr (is<Limit, relu_>) value = value < 0 ? 0.0 : value;
  const std::uint16_t result = detail::encode<FormatOf<Type>>(detail::Rounding::nearest, value);
  constexpr std::uint16_t kSign = FormatOf<Type>::kSign;
  if (is<Ftz, ftz_> && (result & (kSign - 1)) < 1u << FormatOf<Type>::kMantissaBits)
    return result & kSign;
  return result;
}

template <class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void narrow_add(Result& d, First a, Second b) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y) {
        return bits_of<Ftz, Sat, Type>(number_of<Ftz, Type>(x) + number_of<Ftz, Type>(y));
      },
      a, b);
}
template <class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void narrow_sub(Result& d, First a, Second b) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y) {
        return bits_of<Ftz, Sat, Type>(number_of<Ftz, Type>(x) - number_of<Ftz, Type>(y));
      },
      a, b);
}
template <class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void narrow_mul(Result& d, First a, Second b) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y) {
        return bits_of<Ftz, Sat, Type>(number_of<Ftz, Type>(x) * number_of<Ftz, Type>(y));
      },
      a, b);
}
template <class Ftz, class Limit, class Type, class Result, class First, class Second, class Third>
__forceinline__ void narrow_fma(Result& d, First a, Second b, Third c) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y, std::uint16_t z) {
        return bits_of<Ftz, Limit, Type>(detail::multiply_add(
            number_of<Ftz, Type>(x), number_of<Ftz, Type>(y), number_of<Ftz, Type>(z)));
      },
      a, b, c);
}
template <class Ftz, class Nan, class Type, class Result, class First, class Second>
__forceinline__ void narrow_min(Result& d, First a, Second b) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y) {
        return bits_of<Ftz, none_, Type>(
            extreme<false, Nan>(number_of<Ftz, Type>(x), number_of<Ftz, Type>(y)));
      },
      a, b);
}
template <class Ftz, class Nan, class Type, class Result, class First, class Second>
__forceinline__ void narrow_max(Result& d, First a, Second b) {
  for_each_number<Type>(
      d,
      [](std::uint16_t x, std::uint16_t y) {
        return bits_of<Ftz, none_, Type>(
            extreme<true, Nan>(number_of<Ftz, Type>(x), number_of<Ftz, Type>(y)));
      },
      a, b);
}
template <class Type, class Result, class First>
__forceinline__ void narrow_neg(Result& d, First a) {
  for_each_number<Type>(
      d, [](std::uint16_t x) { return static_cast<std::uint16_t>(x ^ 0x8000u); }, a);
}
template <class Type, class Result, class First>
__forceinline__ void narrow_abs(Result& d, First a) {
  for_each_number<Type>(
      d, [](std::uint16_t x) { return static_cast<std::uint16_t>(x & 0x7fffu); }, a);
}

// Conversions.

template <class Type, class Result, class First>
__forceinline__ void cvt_from_narrow(Result& d, First a) {
  set(d, static_cast<float>(detail::decode<FormatOf<Type>>(get<std::uint16_t>(a))));
}

template <class Round, class Limit, class Type>
__forceinline__ std::uint16_t narrowed(float value) {
  if constexpr (is<Limit, relu_>) value = value < 0 ? 0.0f : value;
  return detail::encode<FormatOf<Type>>(
      is<Round, rz_> ? detail::Rounding::zero : detail::Rounding::nearest, double{value});
}
template <class Round, class Limit, class Type, class Result, class First>
__forceinline__ void cvt_to_narrow(Result& d, First a) {
  set(d, narrowed<Round, Limit, Type>(get<float>(a)));
}
/// Converts two numbers; a becomes the upper one.
template <class Round, class Limit, class Type, class Result, class First, class Second>
__forceinline__ void cvt_to_pair(Result& d, First a, Second b) {
  set(d, std::uint32_t{narrowed<Round, Limit, Type>(get<float>(a))} << 16 |
             narrowed<Round, Limit, Type>(get<float>(b)));
}

// Pairs of 8-bit floats. What is too large becomes the largest number.

struct e4m3x2_ {};
struct e5m2x2_ {};

template <class Type>
using EightBitFormat =
    std::conditional_t<is<Type, e4m3x2_>, detail::E4m3Format, detail::E5m2Format>;

template <class Limit, class Type>
__forceinline__ std::uint8_t eight_bits(float value) {
  using Format = EightBitFormat<Type>;
  if constexpr (is<Limit, relu_>) value = value <= 0 ? 0.0f : value;
  const std::uint8_t bits = detail::encode<Format>(detail::Rounding::nearest, double{value});
  const bool too_large = (bits & ~Format::kSign) > Format::kLargest && value == value;
  return too_large ? static_cast<std::uint8_t>((bits & Format::kSign) | Format::kLargest) : bits;
}
/// a becomes the upper number.
template <class Limit, class Type, class Result>
__forceinline__ void set_eight_bits(Result& d, float a, float b) {
  set(d, static_cast<std::uint16_t>(eight_bits<Limit, Type>(a) << 8 | eight_bits<Limit, Type>(b)));
}
template <class Limit, class Type, class Result, class First, class Second>
__forceinline__ void cvt_to_eight_bits(Result& d, First a, Second b) {
  set_eight_bits<Limit, Type>(d, get<float>(a), get<float>(b));
}
template <class Limit, class Type, class Result, class First>
__forceinline__ void cvt_pair_to_eight_bits(Result& d, First a) {
  const auto half = [](std::uint32_t bits) {
    return static_cast<float>(detail::decode<detail::HalfFormat>(static_cast<std::uint16_t>(bits)));
  };
  const std::uint32_t pair = get<std::uint32_t>(a);
  set_eight_bits<Limit, Type>(d, half(pair >> 16), half(pair));
}
template <class Limit, class Type, class Result, class First>
__forceinline__ void cvt_from_eight_bits(Result& d, First a) {
  const auto half = [](std::uint32_t bits) -> std::uint32_t {
    const double value = detail::decode<EightBitFormat<Type>>(static_cast<std::uint8_t>(bits));
    return detail::encode<detail::HalfFormat>(detail::Rounding::nearest,
                                              is<Limit, relu_> && value <= 0 ? 0.0 : value);
  };
  const std::uint32_t pair = get<std::uint16_t>(a);
  set(d, half(pair >> 8) << 16 | half(pair & 0xff));
}

}  // namespace emu::ptx
