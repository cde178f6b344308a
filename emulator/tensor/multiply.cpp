#include "tensor/multiply.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace emu::tensor {
namespace {

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

constexpr std::uint32_t kFloatInfinity = 0x7f800000, kFloatNan = 0x7fffffff;
constexpr std::uint32_t kHalfInfinity = 0x7c00, kHalfNan = 0x7fff;

enum class Kind : std::uint8_t { finite, infinite, nan };

/// significand x 2^(exponent - mantissa bits). A subnormal number keeps the exponent of the
/// smallest normal one.
struct Number {
  std::int32_t significand;  ///< with the sign; of an infinity +-1
  std::int16_t exponent;
  Kind kind;
};

Number decode(const Layout& f, std::uint32_t word) {
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
std::uint32_t encode(std::int64_t sum, int exponent, const Layout& f, int kept_bits,
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

class Adder {
 public:
  Adder(const Model& model, const Shape& shape)
      : model_(model),
        step_(step(model, shape)),
        a_(layout(shape.a)),
        b_(layout(shape.b)),
        c_(layout(shape.c)),
        is_half_(shape.c == Type::f16) {}

  /// c and the products of k elements of `a` and `b`.
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
      const int to = p / 4 * 2 + p % 2 + (p % 4 < 2 ? 0 : k / 2);
      sorted_a[to] = a[p];
      sorted_b[to] = b[p];
    }
    const auto sum = std::bit_cast<float>(add_in_order(sorted_a, sorted_b, k, 0));
    const float result = sum + std::bit_cast<float>(c);
    return std::isnan(result) ? kFloatNan : std::bit_cast<std::uint32_t>(result);
  }

  static Step step(const Model& model, const Shape& shape) {
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

constexpr std::int64_t integer(Type type, std::uint32_t word) {
  return type == Type::s8 ? static_cast<std::int8_t>(word) : static_cast<std::uint8_t>(word);
}

std::uint32_t add_integers(const Shape& shape, const std::uint32_t* a, const std::uint32_t* b,
                           std::uint32_t c) {
  std::int64_t sum = static_cast<std::int32_t>(c);
  for (int p = 0; p < shape.k; ++p) sum += integer(shape.a, a[p]) * integer(shape.b, b[p]);
  using Limits = std::numeric_limits<std::int32_t>;
  if (shape.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(sum);
}

void decode_all(Type type, const std::uint32_t* words, Number* numbers, int count) {
  const Layout f = layout(type);
  for (int i = 0; i < count; ++i) numbers[i] = decode(f, words[i]);
}

}  // namespace

void multiply(const Model& model, const Shape& shape, const std::uint32_t* a,
              const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d) {
  const int k = shape.k;
  if (shape.c == Type::s32) {
    for (int i = 0; i < shape.m; ++i)
      for (int j = 0; j < shape.n; ++j)
        d[i * shape.n + j] = add_integers(shape, a + i * k, b + j * k, c[i * shape.n + j]);
    return;
  }
  const Adder adder(model, shape);
  std::vector<Number> columns(static_cast<std::size_t>(shape.n * k));
  decode_all(shape.b, b, columns.data(), shape.n * k);
  Number row[kMaxK];
  for (int i = 0; i < shape.m; ++i) {
    decode_all(shape.a, a + i * k, row, k);
    for (int j = 0; j < shape.n; ++j)
      d[i * shape.n + j] = adder.add(row, columns.data() + j * k, k, c[i * shape.n + j]);
  }
}

std::uint32_t dot(const Model& model, const Shape& shape, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t c) {
  Shape one = shape;
  one.m = one.n = 1;
  std::uint32_t d = 0;
  multiply(model, one, a, b, &c, &d);
  return d;
}

}  // namespace emu::tensor
