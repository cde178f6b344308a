/// @file
/// Floating-point formats of 16 and 8 bits: conversions between bits and numbers, rounded once.
///
/// All computations use integers, so results are the same on every processor and in constants.
#pragma once

#include <cstdint>

#include "emulator/device_arithmetic.h"

namespace emu::detail {

/// A format with `1 + exponent_bits + mantissa_bits` bits. Words above the largest finite number
/// are infinity, if there is one, and NaN.
template <class Word_, int exponent_bits, int mantissa_bits, Word_ largest, Word_ overflow,
          Word_ nan>
struct NarrowFormat {
  using Word = Word_;
  static constexpr int kMantissaBits = mantissa_bits;
  static constexpr int kBias = (1 << (exponent_bits - 1)) - 1;
  /// Exponent of the smallest positive number.
  static constexpr int kLowest = 1 - kBias - mantissa_bits;
  static constexpr int kHighest = (largest >> mantissa_bits) - kBias;  ///< exponent of the largest
  static constexpr Word kSign = static_cast<Word>(1u << (exponent_bits + mantissa_bits));
  static constexpr Word kLargest = largest;
  /// Result for numbers that are too large: infinity, or NaN.
  static constexpr Word kOverflow = overflow;
  static constexpr Word kNan = nan;  ///< the NaN that a GPU returns
};
using HalfFormat = NarrowFormat<std::uint16_t, 5, 10, 0x7bff, 0x7c00, 0x7fff>;
using Bfloat16Format = NarrowFormat<std::uint16_t, 8, 7, 0x7f7f, 0x7f80, 0x7fff>;
using E4m3Format = NarrowFormat<std::uint8_t, 4, 3, 0x7e, 0x7f, 0x7f>;
using E5m2Format = NarrowFormat<std::uint8_t, 5, 2, 0x7b, 0x7c, 0x7f>;

/// significand x 2^exponent. The significand's last bit may stand for lost bits below it.
struct Exact {
  bool negative;
  std::uint64_t significand;
  int exponent;
};

constexpr int kDoubleMantissaBits = 52;
constexpr int kDoubleLowest = -1074;  ///< exponent of the smallest double

constexpr bool is_nan(double value) { return value != value; }
constexpr bool is_infinite(double value) {
  return value == __builtin_inf() || value == -__builtin_inf();
}

/// Returns a finite value exactly.
constexpr Exact exact(double value) {
  const auto bits = __builtin_bit_cast(std::uint64_t, value);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kDoubleMantissaBits) - 1);
  const int biased = static_cast<int>(bits >> kDoubleMantissaBits & 0x7ff);
  const bool negative = bits >> 63 != 0;
  if (biased == 0) return {negative, mantissa, kDoubleLowest};
  return {negative, mantissa | std::uint64_t{1} << kDoubleMantissaBits, biased - 1 + kDoubleLowest};
}
constexpr Exact exact(unsigned long long value) { return {false, value, 0}; }
constexpr Exact exact(long long value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? Exact{true, ~bits + 1, 0} : Exact{false, bits, 0};
}

/// Returns `value` without its last `bits` bits, rounded.
constexpr std::uint64_t shifted_and_rounded(Rounding rounding, const Exact& value, int bits) {
  constexpr int kWordBits = 64;
  if (bits <= 0) return value.significand << -bits;
  // Any larger number of bits leaves less than one half.
  if (bits > kWordBits) bits = kWordBits + 1;
  const std::uint64_t kept = bits >= kWordBits ? 0 : value.significand >> bits;
  const std::uint64_t half = bits > kWordBits ? 0 : std::uint64_t{1} << (bits - 1);
  const std::uint64_t rest =
      bits >= kWordBits ? value.significand : value.significand & (2 * half - 1);
  bool away = false;
  switch (rounding) {
    case Rounding::nearest:
      away = half != 0 && (rest > half || (rest == half && (kept & 1) != 0));
      break;
    case Rounding::up:
      away = rest != 0 && !value.negative;
      break;
    case Rounding::down:
      away = rest != 0 && value.negative;
      break;
    default:
      break;
  }
  return kept + (away ? 1 : 0);
}

/// Returns the result for a number that is too large for the format, without its sign.
template <class Format>
constexpr typename Format::Word too_large(Rounding rounding, bool negative) {
  const bool stays =
      rounding == Rounding::zero || rounding == (negative ? Rounding::up : Rounding::down);
  return stays ? Format::kLargest : Format::kOverflow;
}

/// Returns the bits of `value` in the format.
template <class Format>
constexpr typename Format::Word encode(Rounding rounding, const Exact& value) {
  using Word = typename Format::Word;
  const Word sign = value.negative ? Format::kSign : Word{0};
  if (value.significand == 0) return sign;
  const int top = 63 - __builtin_clzll(value.significand) + value.exponent;
  if (top > Format::kHighest) {
    return static_cast<Word>(sign | too_large<Format>(rounding, value.negative));
  }
  const int last =
      top - Format::kMantissaBits > Format::kLowest ? top - Format::kMantissaBits : Format::kLowest;
  // The leading 1 of a normal number increments the exponent's field by 1.
  const std::uint64_t word =
      shifted_and_rounded(rounding, value, last - value.exponent) +
      (static_cast<std::uint64_t>(last - Format::kLowest) << Format::kMantissaBits);
  const Word kept = word > Format::kLargest ? too_large<Format>(rounding, value.negative)
                                            : static_cast<Word>(word);
  return static_cast<Word>(sign | kept);
}

/// Returns the bits of `value`, which may be infinite or NaN.
template <class Format>
constexpr typename Format::Word encode(Rounding rounding, double value) {
  if (is_nan(value)) return Format::kNan;
  if (is_infinite(value)) {
    return static_cast<typename Format::Word>((value < 0 ? Format::kSign : 0) | Format::kOverflow);
  }
  return encode<Format>(rounding, exact(value));
}

/// Encodes `value` like `encode`, but NaN becomes quiet and keeps its sign and the upper bits of
/// its mantissa, as in a GPU's conversions of double.
template <class Format>
constexpr typename Format::Word encode_double(Rounding rounding, double value) {
  using Word = typename Format::Word;
  if (!is_nan(value)) return encode<Format>(rounding, value);
  const auto bits = __builtin_bit_cast(std::uint64_t, value);
  const Word sign = bits >> 63 != 0 ? Format::kSign : Word{0};
  if (Format::kOverflow == Format::kNan) return static_cast<Word>(sign | Format::kNan);
  const std::uint64_t mantissa =
      (bits & ((std::uint64_t{1} << kDoubleMantissaBits) - 1)) | std::uint64_t{1} << 51;
  return static_cast<Word>(sign | Format::kOverflow |
                           mantissa >> (kDoubleMantissaBits - Format::kMantissaBits));
}

/// Returns the number with these bits.
template <class Format>
constexpr double decode(typename Format::Word word) {
  constexpr int kExponentShift = kDoubleMantissaBits - Format::kMantissaBits;
  const bool negative = (word & Format::kSign) != 0;
  const auto rest = static_cast<std::uint64_t>(word & ~Format::kSign & (2 * Format::kSign - 1));
  if (rest > Format::kLargest) {
    const bool infinite = rest == Format::kOverflow && Format::kOverflow != Format::kNan;
    const double size = infinite ? __builtin_inf() : __builtin_nan("");
    return negative ? -size : size;
  }
  const std::uint64_t implicit = std::uint64_t{1} << Format::kMantissaBits;
  if (rest < implicit) {  // subnormal: exact in a double
    constexpr double kSmallest = __builtin_bit_cast(
        double, static_cast<std::uint64_t>(Format::kLowest + 1023) << kDoubleMantissaBits);
    const double size = static_cast<double>(rest) * kSmallest;
    return negative ? -size : size;
  }
  const std::uint64_t bits =
      (rest << kExponentShift) +
      (static_cast<std::uint64_t>(1023 - Format::kBias) << kDoubleMantissaBits);
  return __builtin_bit_cast(double, bits | static_cast<std::uint64_t>(negative) << 63);
}

/// Returns x * y + z for 16-bit numbers, so that rounding the result to either format gives the
/// correctly rounded sum: the last bit is set if a double cannot hold all bits.
constexpr double multiply_add(double x, double y, double z) {
  const double product = x * y;  // exact
  const double sum = product + z;
  const double added = sum - product;
  const double rest = (product - (sum - added)) + (z - added);
  if (!(rest > 0 || rest < 0)) return sum;  // NaN where the sum is infinite
  const auto bits = __builtin_bit_cast(std::uint64_t, sum);
  if ((bits & 1) != 0) return sum;
  return __builtin_bit_cast(double, (rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace emu::detail
