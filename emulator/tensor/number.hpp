/// @file
/// Numbers of the tensor cores' formats: what their bits mean, and the bits of a sum.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tensor/multiply.hpp"

namespace emu::tensor {

/// A format's fields. `unused_bits` are below the mantissa and count nothing.
struct Layout {
  int exponent_bits, mantissa_bits, unused_bits;
  bool has_infinity;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int top_field() const { return (1 << exponent_bits) - 1; }
};

constexpr Layout layout(Type type) {
  switch (type) {
    case Type::f16:
      return {5, 10, 0, true};
    case Type::bf16:
      return {8, 7, 0, true};
    case Type::tf32:
      return {8, 10, 13, true};
    case Type::e4m3:
      return {4, 3, 0, false};
    case Type::e5m2:
      return {5, 2, 0, true};
    default:
      return {8, 23, 0, true};
  }
}

inline constexpr std::uint32_t kFloatInfinity = 0x7f800000, kFloatNan = 0x7fffffff;
inline constexpr std::uint32_t kHalfInfinity = 0x7c00, kHalfNan = 0x7fff;

enum class Kind : std::uint8_t { finite, infinite, nan };

/// significand x 2^(exponent - mantissa bits). A subnormal number keeps the exponent of the
/// smallest normal one.
struct Number {
  std::int32_t significand;  ///< with the sign; of an infinity +-1
  std::int16_t exponent;
  Kind kind;
};

inline Number decode(const Layout& f, std::uint32_t word) {
  word >>= f.unused_bits;
  const auto mantissa = static_cast<std::int32_t>(word & ((1u << f.mantissa_bits) - 1));
  const int field = static_cast<int>(word >> f.mantissa_bits) & f.top_field();
  const bool negative = (word >> (f.mantissa_bits + f.exponent_bits) & 1) != 0;
  const auto with_sign = [&](std::int32_t size) { return negative ? -size : size; };
  if (field == f.top_field()) {
    const std::int32_t all_ones = (1 << f.mantissa_bits) - 1;
    if (f.has_infinity) {
      return {with_sign(1), 0, mantissa == 0 ? Kind::infinite : Kind::nan};
    }
    if (mantissa == all_ones) return {0, 0, Kind::nan};
  }
  const std::int32_t leading = field == 0 ? 0 : 1 << f.mantissa_bits;
  return {with_sign(mantissa | leading),
          static_cast<std::int16_t>((field == 0 ? 1 : field) - f.bias()), Kind::finite};
}

/// value x 2^shift, cut off towards zero.
constexpr std::int64_t shifted(std::int64_t value, int shift) {
  constexpr int kBits = 63;
  if (shift >= 0) return value << shift;
  if (-shift >= kBits) return 0;
  return value < 0 ? -(-value >> -shift) : value >> -shift;
}

/// sum x 2^exponent in a format with `mantissa_bits`, of which `kept_bits` may be set.
inline std::uint32_t encode(std::int64_t sum, int exponent, const Layout& f, int kept_bits,
                            Rounding rounding) {
  if (sum == 0) return 0;
  const std::uint32_t sign = sum < 0 ? 1u << (f.exponent_bits + f.mantissa_bits) : 0;
  const auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int top = static_cast<int>(std::bit_width(size)) - 1 + exponent;
  const int first = 1 - f.bias();  // exponent of the smallest normal number
  const int last = std::max(top - kept_bits, first - f.mantissa_bits);  // of the last bit kept
  const int drop = last - exponent;
  std::uint64_t kept = drop <= 0 ? size << -drop : drop > 63 ? 0 : size >> drop;
  if (rounding == Rounding::nearest && drop > 0 && drop <= 63) {
    const std::uint64_t half = std::uint64_t{1} << (drop - 1), rest = size & (2 * half - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  if (kept == 0) return 0;
  // The leading 1 of a normal number adds the 1 by which its exponent's field is larger.
  const int unit = last - std::max(top - f.mantissa_bits, first - f.mantissa_bits);
  const int field = std::max(top, first) - first;
  const std::uint64_t word =
      (kept << unit) + (static_cast<std::uint64_t>(field) << f.mantissa_bits);
  const std::uint64_t infinity = static_cast<std::uint64_t>(f.top_field()) << f.mantissa_bits;
  return sign | static_cast<std::uint32_t>(std::min(word, infinity));
}

}  // namespace emu::tensor
