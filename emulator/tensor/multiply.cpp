// Sums of many columns at a time.
//
// A vector holds the same step of neighbouring columns. Significands are floats: a product of two
// has at most 22 bits, so it is exact; and a float times a power of two, cut off to an integer, is
// what the adder's shift makes of it. What is not finite, and results below the normal numbers, go
// to the adder itself (adder.hpp).
#include "tensor/multiply.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "adder.hpp"

namespace emu::tensor {
namespace {

constexpr int kWidth = 8;  // columns of a vector
typedef float Floats __attribute__((vector_size(4 * kWidth)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kWidth)));
typedef double Doubles __attribute__((vector_size(8 * kWidth)));
typedef std::int64_t Longs __attribute__((vector_size(8 * kWidth)));

/// Of zeros: no sum is aligned to it.
constexpr std::int32_t kNoExponent = -4096;
constexpr int kFloatBias = 127, kFloatMantissa = 23;
constexpr int kDoubleBias = 1023, kDoubleMantissa = 52;

/// Numbers as the sums want them: value = significand x 2^(exponent - mantissa bits).
struct Decoded {
  std::vector<float> significands;
  std::vector<std::int32_t> exponents;
  void resize(std::size_t count) {
    significands.resize(count);
    exponents.resize(count);
  }
};

/// Decodes `count` words.
/// @param special  [count]: not 0 where a number is not finite
#if defined(__x86_64__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
void decode_words(const Layout& f, const std::uint32_t* words, int count, float* significands,
                  std::int32_t* exponents, std::int32_t* special) {
  const auto mantissa_mask = static_cast<std::int32_t>((1u << f.mantissa_bits) - 1);
  const std::int32_t top = f.top_field(), leading = 1 << f.mantissa_bits;
  const int sign_at = f.mantissa_bits + f.exponent_bits, bias = f.bias();
  const int mantissa_bits = f.mantissa_bits, unused_bits = f.unused_bits;
  // Without an infinity, only all bits set are no number.
  const std::int32_t first_special =
      f.has_infinity ? top << mantissa_bits : (leading << f.exponent_bits) - 1;
  const std::int32_t size_mask = (1 << sign_at) - 1;
  for (int i = 0; i < count; ++i) {
    const auto word = static_cast<std::int32_t>(words[i] >> unused_bits);
    const std::int32_t field = word >> mantissa_bits & top;
    const std::int32_t size = (word & mantissa_mask) | (field == 0 ? 0 : leading);
    const std::int32_t negative = -(word >> sign_at & 1);
    significands[i] = static_cast<float>((size ^ negative) - negative);
    exponents[i] = size == 0 ? kNoExponent : (field == 0 ? 1 : field) - bias;
    special[i] = (word & size_mask) >= first_special;
  }
}

/// Numbers of `rows` rows of k words, in their order.
/// @param finite  [rows]: whether all of the row are finite
void decode_rows(const Layout& f, const std::uint32_t* words, int rows, int k, Decoded& to,
                 std::vector<char>& finite) {
  static thread_local std::vector<std::int32_t> special;
  const auto count = static_cast<std::size_t>(rows * k);
  to.resize(count);
  special.resize(count);
  decode_words(f, words, rows * k, to.significands.data(), to.exponents.data(), special.data());
  finite.resize(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    std::int32_t any = 0;
    for (int p = 0; p < k; ++p) any |= special[static_cast<std::size_t>(row * k + p)];
    finite[static_cast<std::size_t>(row)] = any == 0;
  }
}

/// The rows become columns: [k, width]. What is not filled keeps zeros.
template <class Element>
void turn(const std::vector<Element>& from, int rows, int k, bool in_pairs, int width,
          std::vector<Element>& to) {
  for (int p = 0; p < k; ++p) {
    Element* const column = to.data() + (in_pairs ? place_in_pairs(p, k) : p) * width;
    for (int row = 0; row < rows; ++row) column[row] = from[static_cast<std::size_t>(row * k + p)];
  }
}

template <class Vector, class Element>
[[gnu::always_inline]] inline Vector load(const Element* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

[[gnu::always_inline]] inline Ints larger(Ints a, Ints b) { return a > b ? a : b; }

/// 2^exponent; 0 if that is no normal number.
[[gnu::always_inline]] inline Floats power(Ints exponent) {
  return std::bit_cast<Floats>(larger(exponent + kFloatBias, Ints{}) << kFloatMantissa);
}

/// What is the same for all sums of a product.
struct Plan {
  Step step;
  int fraction;  ///< bits behind the point of a product of two significands
  int least_exponent;
  bool to_half;
  Layout c;
  Rounding half_rounding;
};

/// One step for a vector of columns.
/// @param a           significands and exponents of a row, [count]
/// @param b           the same of the columns, [count, width]
/// @param c           bits; finite
/// @param needs_more  lanes whose result is below the normal numbers, and left out
[[gnu::always_inline]] inline Ints add_step(const Plan& plan, const float* a,
                                            const std::int32_t* a_exponents, const float* b,
                                            const std::int32_t* b_exponents, int width, int count,
                                            Ints c, Ints& needs_more) {
  const int c_bits = plan.c.mantissa_bits, top = plan.c.top_field();
  const Ints field = c >> c_bits & top;
  const Ints size = (c & ((1 << c_bits) - 1)) | (field == 0 ? Ints{} : Ints{} + (1 << c_bits));
  const Ints negative = -(c >> (c_bits + plan.c.exponent_bits) & 1);
  const Floats significand = __builtin_convertvector((size ^ negative) - negative, Floats);
  const Ints c_exponent =
      size == 0 ? Ints{} + kNoExponent : larger(field, Ints{} + 1) - plan.c.bias();

  Ints largest = larger(Ints{} + plan.least_exponent, c_exponent);
  for (int p = 0; p < count; ++p)
    largest = larger(largest, load<Ints>(b_exponents + p * width) + a_exponents[p]);
  const Ints unit = largest - plan.step.fraction_bits;  // exponent of the last bit that counts
  const Ints shift = -plan.fraction - unit;
  Ints products{};
  for (int p = 0; p < count; ++p) {
    const Floats product = load<Floats>(b + p * width) * a[p];
    const Ints exponent = load<Ints>(b_exponents + p * width) + a_exponents[p] + shift;
    products += __builtin_convertvector(product * power(exponent), Ints);
  }
  const Ints added = __builtin_convertvector(significand * power(c_exponent - c_bits - unit), Ints);
  // The products' sum fits into 32 bits, with c it may not.
  const Doubles sum =
      __builtin_convertvector(products, Doubles) + __builtin_convertvector(added, Doubles);
  if (plan.to_half) {
    Ints result;
    for (int i = 0; i < kWidth; ++i)
      result[i] = static_cast<std::int32_t>(
          encode(static_cast<std::int64_t>(sum[i]), unit[i], plan.c, c_bits, plan.half_rounding));
    return result;
  }
  const Longs scale = __builtin_convertvector(unit + kDoubleBias, Longs) << kDoubleMantissa;
  const std::int64_t kept = -(std::int64_t{1} << (kDoubleMantissa - plan.step.result_bits));
  const Longs value = std::bit_cast<Longs>(sum * std::bit_cast<Doubles>(scale)) & kept;
  const Ints result =
      std::bit_cast<Ints>(__builtin_convertvector(std::bit_cast<Doubles>(value), Floats));
  const Ints bits = result & 0x7fffffff;
  const Ints is_something = __builtin_convertvector(sum != 0.0, Ints);
  needs_more |= is_something & (bits < (1 << kFloatMantissa));
  return result;
}

/// A row of D; c and d are [width].
[[gnu::always_inline]] inline void add_row(const Plan& plan, int k, const float* a,
                                           const std::int32_t* a_exponents, const Decoded& b,
                                           int width, const std::uint32_t* c, std::uint32_t* d,
                                           char* is_left) {
  const std::int32_t no_number = plan.c.top_field() << plan.c.mantissa_bits;
  for (int column = 0; column < width; column += kWidth) {
    const Ints given = load<Ints>(c + column);
    Ints sum = plan.step.in_pairs ? Ints{} : given;
    Ints left{};
    for (int first = 0; first < k; first += plan.step.products) {
      left |= (sum & no_number) == no_number;
      sum = add_step(plan, a + first, a_exponents + first,
                     b.significands.data() + first * width + column,
                     b.exponents.data() + first * width + column, width,
                     std::min(plan.step.products, k - first), sum, left);
    }
    if (plan.step.in_pairs) {
      left |= (given & no_number) == no_number || (sum & no_number) == no_number;
      sum = std::bit_cast<Ints>(std::bit_cast<Floats>(sum) + std::bit_cast<Floats>(given));
    }
    std::memcpy(d + column, &sum, sizeof sum);
    for (int i = 0; i < kWidth; ++i) is_left[column + i] = left[i] != 0;
  }
}

#if defined(__x86_64__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
void add_rows(const Plan& plan, const Shape& shape, const Decoded& a, const Decoded& b, int width,
              const std::uint32_t* c, std::uint32_t* d, char* is_left) {
  for (int row = 0; row < shape.m; ++row)
    add_row(plan, shape.k, a.significands.data() + row * shape.k,
            a.exponents.data() + row * shape.k, b, width, c + row * width, d + row * width,
            is_left + row * width);
}

constexpr std::int64_t integer(Type type, std::uint32_t word) {
  return type == Type::s8 ? static_cast<std::int8_t>(word) : static_cast<std::uint8_t>(word);
}

std::uint32_t of_integer(const Shape& shape, std::int64_t sum) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (shape.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t add_integers(const Shape& shape, const std::uint32_t* a, const std::uint32_t* b,
                           std::uint32_t c) {
  std::int64_t sum = static_cast<std::int32_t>(c);
  for (int p = 0; p < shape.k; ++p) sum += integer(shape.a, a[p]) * integer(shape.b, b[p]);
  return of_integer(shape, sum);
}

/// The same for all: kMaxK products fit into 32 bits.
void multiply_integers(const Shape& shape, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint32_t* c, std::uint32_t* d) {
  const int n = shape.n, k = shape.k;
  static thread_local std::vector<std::int16_t> columns;
  columns.resize(static_cast<std::size_t>(n * k));
  for (int i = 0; i < n * k; ++i)
    columns[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(integer(shape.b, b[i]));
  std::int16_t row[kMaxK];
  for (int i = 0; i < shape.m; ++i) {
    for (int p = 0; p < k; ++p) row[p] = static_cast<std::int16_t>(integer(shape.a, a[i * k + p]));
    for (int j = 0; j < n; ++j) {
      const std::int16_t* const column = columns.data() + j * k;
      std::int32_t products = 0;
      for (int p = 0; p < k; ++p) products += row[p] * column[p];
      const auto added = static_cast<std::int32_t>(c[i * n + j]);
      d[i * n + j] = of_integer(shape, std::int64_t{products} + added);
    }
  }
}

/// Whether vectors have room for a step's products and their sum.
bool fits(const Plan& plan, const Layout& a, const Layout& b) {
  const auto most = [](const Layout& f) { return (std::int64_t{2} << f.mantissa_bits) - 1; };
  const int up = plan.step.fraction_bits - plan.fraction;
  constexpr int kFloatBits = kFloatMantissa + 1, kMostUp = 30;
  if (plan.fraction + 2 > kFloatBits || up > kMostUp ||
      plan.step.fraction_bits - plan.c.mantissa_bits > kMostUp - kFloatBits)
    return false;
  const std::int64_t product = most(a) * most(b);
  return (up < 0 ? product : product << up) * plan.step.products <=
         std::numeric_limits<std::int32_t>::max();
}

}  // namespace

void multiply_one_by_one(const Model& model, const Shape& shape, const std::uint32_t* a,
                         const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d) {
  const int k = shape.k;
  if (shape.c == Type::s32) {
    for (int i = 0; i < shape.m; ++i)
      for (int j = 0; j < shape.n; ++j)
        d[i * shape.n + j] = add_integers(shape, a + i * k, b + j * k, c[i * shape.n + j]);
    return;
  }
  const Adder adder(model, shape);
  for (int i = 0; i < shape.m; ++i)
    for (int j = 0; j < shape.n; ++j)
      d[i * shape.n + j] = adder.add_bits(a + i * k, b + j * k, k, c[i * shape.n + j]);
}

void multiply(const Model& model, const Shape& shape, const std::uint32_t* a,
              const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d) {
  if (shape.c == Type::s32) return multiply_integers(shape, a, b, c, d);
  const int m = shape.m, n = shape.n, k = shape.k;
  const int width = (n + kWidth - 1) / kWidth * kWidth;
  const Layout a_layout = layout(shape.a), b_layout = layout(shape.b);
  const bool is_half = shape.c == Type::f16;
  const Plan plan = {step_of(model, shape), a_layout.mantissa_bits + b_layout.mantissa_bits,
                     model.least_exponent,  is_half,
                     layout(shape.c),       model.half_rounding};
  if (!fits(plan, a_layout, b_layout)) return multiply_one_by_one(model, shape, a, b, c, d);
  static thread_local Decoded rows, columns, decoded;
  static thread_local std::vector<char> finite_rows, finite_columns, is_left;
  static thread_local std::vector<std::uint32_t> sums, sorted;
  const bool in_pairs = plan.step.in_pairs;
  decode_rows(b_layout, b, n, k, decoded, finite_columns);
  columns.significands.assign(static_cast<std::size_t>(k * width), 0.0f);
  columns.exponents.assign(static_cast<std::size_t>(k * width), kNoExponent);
  turn(decoded.significands, n, k, in_pairs, width, columns.significands);
  turn(decoded.exponents, n, k, in_pairs, width, columns.exponents);
  if (in_pairs) {
    sorted.resize(static_cast<std::size_t>(m * k));
    for (int i = 0; i < m; ++i)
      for (int p = 0; p < k; ++p)
        sorted[static_cast<std::size_t>(i * k + place_in_pairs(p, k))] = a[i * k + p];
  }
  decode_rows(a_layout, in_pairs ? sorted.data() : a, m, k, rows, finite_rows);
  sums.assign(static_cast<std::size_t>(2 * m * width), 0);
  is_left.resize(static_cast<std::size_t>(m * width));
  std::uint32_t* const results = sums.data() + m * width;
  for (int i = 0; i < m; ++i)
    std::memcpy(&sums[static_cast<std::size_t>(i * width)], c + i * n,
                static_cast<std::size_t>(n) * sizeof *c);
  add_rows(plan, shape, rows, columns, width, sums.data(), results, is_left.data());
  const Adder adder(model, shape);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const int at = i * width + j;
      const bool is_done = finite_rows[static_cast<std::size_t>(i)] &&
                           finite_columns[static_cast<std::size_t>(j)] &&
                           !is_left[static_cast<std::size_t>(at)];
      d[i * n + j] =
          is_done ? results[at]
                  : adder.add_bits(a + i * k, b + j * k, k, sums[static_cast<std::size_t>(at)]);
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
