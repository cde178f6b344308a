/// @file
/// A tensor core's adder, one sum at a time and as the model says it: what the fast sums
/// (multiply.cpp) must equal, and what they leave to it.
#pragma once

#include <cmath>

#include "number.hpp"

namespace emu::tensor {

/// The adder that a shape's products go to.
inline Step step_of(const Model& model, const Shape& shape) {
  switch (shape.a) {
    case Type::tf32:
      return model.tf32;
    case Type::e4m3:
    case Type::e5m2:
      return shape.unit == Unit::warp ? model.eight_bits_of_warp : model.eight_bits;
    default:
      return model.sixteen_bits;
  }
}

/// Where product p of k goes if two of four neighbours come first.
constexpr int place_in_pairs(int p, int k) { return p / 4 * 2 + p % 2 + (p % 4 < 2 ? 0 : k / 2); }

class Adder {
 public:
  Adder(const Model& model, const Shape& shape)
      : model_(model),
        step_(step_of(model, shape)),
        a_(layout(shape.a)),
        b_(layout(shape.b)),
        c_(layout(shape.c)),
        is_half_(shape.c == Type::f16) {}

  /// c and the products of k elements of `a` and `b`, given as bits.
  std::uint32_t add_bits(const std::uint32_t* a, const std::uint32_t* b, int k,
                         std::uint32_t c) const {
    Number first[kMaxK], second[kMaxK];
    for (int p = 0; p < k; ++p) {
      first[p] = decode(a_, a[p]);
      second[p] = decode(b_, b[p]);
    }
    return add(first, second, k, c);
  }
  /// The same of numbers.
  std::uint32_t add(const Number* a, const Number* b, int k, std::uint32_t c) const {
    if (step_.in_pairs) return add_in_pairs(a, b, k, c);
    return add_in_order(a, b, k, c);
  }

 private:
  std::uint32_t add_in_order(const Number* a, const Number* b, int k, std::uint32_t c) const {
    for (int first = 0; first < k; first += step_.products)
      c = add_step(a + first, b + first, std::min(step_.products, k - first), c);
    return c;
  }

  std::uint32_t add_in_pairs(const Number* a, const Number* b, int k, std::uint32_t c) const {
    Number sorted_a[kMaxK], sorted_b[kMaxK];
    for (int p = 0; p < k; ++p) {
      const int to = place_in_pairs(p, k);
      sorted_a[to] = a[p];
      sorted_b[to] = b[p];
    }
    const auto sum = std::bit_cast<float>(add_in_order(sorted_a, sorted_b, k, 0));
    const float result = sum + std::bit_cast<float>(c);
    return std::isnan(result) ? kFloatNan : std::bit_cast<std::uint32_t>(result);
  }

  std::uint32_t add_step(const Number* a, const Number* b, int count, std::uint32_t word) const {
    const Number c = decode(c_, word);
    bool positive = c.kind == Kind::infinite && c.significand > 0;
    bool negative = c.kind == Kind::infinite && c.significand < 0;
    bool nan = c.kind == Kind::nan;
    int largest = model_.least_exponent;
    if (c.significand != 0) largest = std::max<int>(largest, c.exponent);
    for (int p = 0; p < count; ++p) {
      const std::int32_t product = a[p].significand * b[p].significand;
      if (a[p].kind == Kind::finite && b[p].kind == Kind::finite) {
        if (product != 0) largest = std::max(largest, a[p].exponent + b[p].exponent);
        continue;
      }
      nan |= a[p].kind == Kind::nan || b[p].kind == Kind::nan || product == 0;
      positive |= product > 0;
      negative |= product < 0;
    }
    if (nan || (positive && negative)) return is_half_ ? kHalfNan : kFloatNan;
    if (positive || negative) {
      const std::uint32_t infinity = is_half_ ? kHalfInfinity : kFloatInfinity;
      return infinity | (negative ? (is_half_ ? 0x8000u : 0x80000000u) : 0);
    }

    const int unit = largest - step_.fraction_bits;  // exponent of the last bit that counts
    std::int64_t sum = shifted(c.significand, c.exponent - c_.mantissa_bits - unit);
    const int fraction = a_.mantissa_bits + b_.mantissa_bits;
    for (int p = 0; p < count; ++p)
      sum += shifted(std::int64_t{a[p].significand} * b[p].significand,
                     a[p].exponent + b[p].exponent - fraction - unit);
    return encode(sum, unit, c_, is_half_ ? c_.mantissa_bits : step_.result_bits,
                  is_half_ ? model_.half_rounding : model_.float_rounding);
  }

  const Model& model_;
  Step step_;
  Layout a_, b_, c_;
  bool is_half_;
};

}  // namespace emu::tensor
