// Draws numbers as rows of bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tensor/multiply.hpp"
#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kMostCell = 22, kCellHeight = 18, kRowHeight = 24, kBaseline = 4;
constexpr int kHalfBits = 11, kFloatBits = 24;

/// Returns the exponent of a number's leading bit.
int exponent_of(double value) { return std::ilogb(value); }

/// Rounds to `bits` significant bits. Ignores the halves' limit of 2^-24, which no number here
/// approaches.
double rounded(double value, int bits) {
  const double unit = std::ldexp(1.0, exponent_of(value) - bits + 1);
  return std::nearbyint(value / unit) * unit;
}

/// Columns of bits; the first one stands for 2^top.
struct Columns {
  int top, count;
  double cell() const { return std::min(kMostCell, kDrawnWidth / count); }
  double left_of(int exponent) const { return kLeft + (top - exponent) * cell(); }
};

/// Draws the bits of |value| from 2^first down to 2^last, after a minus sign if the value is
/// negative.
template <class Marks>
void draw_bits(Svg& svg, const Columns& columns, const std::string& label, double value, int first,
               int last, Marks marks_of) {
  svg.text(kLeft - 6, svg.y + kCellHeight / 2 + kBaseline, (value < 0 ? "-" : "") + label,
           "small strong", Anchor::end);
  for (int exponent = first; exponent >= last; --exponent) {
    const bool is_set = std::fmod(std::floor(std::abs(std::ldexp(value, -exponent))), 2.0) != 0.0;
    const std::string marks = marks_of(exponent);
    const double x = columns.left_of(exponent);
    svg.rect(x, svg.y, columns.cell(), kCellHeight, marks);
    svg.text(x + columns.cell() / 2, svg.y + kCellHeight / 2 + kBaseline, is_set ? "1" : "0",
             marks == "tile t7" ? "small code" : "small code on", Anchor::middle);
  }
  svg.y += kRowHeight;
}

void draw_weights(Svg& svg, const Columns& columns, const std::vector<int>& exponents) {
  for (const int exponent : exponents)
    svg.text(columns.left_of(exponent) + columns.cell() / 2, svg.y + 9,
             fmt::format("2^{}", exponent), "small muted", Anchor::middle);
  svg.y += 14;
}

/// Returns the float with these bits.
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Returns the bits of a half; the number must have at most 11 bits and be in the normal range.
std::uint32_t half_bits(double value) {
  constexpr int kBias = 15, kStored = kHalfBits - 1, kSignAt = 15, kLeast = -14;
  if (value == 0.0) return 0;
  const int exponent = exponent_of(value);
  const double stored = std::ldexp(std::abs(value), kStored - exponent);
  if (exponent < kLeast || exponent > kBias || stored != std::floor(stored))
    throw std::runtime_error(fmt::format("{} is no half", value));
  return static_cast<std::uint32_t>(value < 0) << kSignAt |
         static_cast<std::uint32_t>(exponent + kBias) << kStored |
         (static_cast<std::uint32_t>(stored) & ((1U << kStored) - 1));
}

}  // namespace

void draw_halves(Svg& svg, const nlohmann::json& panel) {
  const auto x = static_cast<double>(panel.at("value").get<float>());
  const double high = rounded(x, kHalfBits), low = rounded(x - high, kHalfBits);
  const int first = exponent_of(x), last = first - kFloatBits + 1;
  const int first_low = exponent_of(low);
  const Columns columns = {first, kFloatBits};
  draw_heading(svg, fmt::format("x = {:.9g}", x), panel.at("words"));
  draw_weights(svg, columns, {first, first - kHalfBits + 1, first_low, last});
  const int end_high = first - kHalfBits + 1, end_low = first_low - kHalfBits + 1;
  draw_bits(svg, columns, "x", x, first, last, [&](int exponent) {
    return exponent >= end_high                           ? "used"
           : exponent <= first_low && exponent >= end_low ? "second"
                                                          : "tile t7";
  });
  draw_bits(svg, columns, "high", high, first, end_high, [](int) { return "used"; });
  draw_bits(svg, columns, "low", low, first_low, std::max(end_low, last),
            [](int) { return "second"; });
  const double excess = high + low - x;
  draw_caption(svg, fmt::format("high + low = {:.9g}, {:.2g} too {}: the last bit is rounded",
                                high + low, std::abs(excess), excess > 0 ? "large" : "small"));
}

void draw_cut(Svg& svg, const nlohmann::json& panel) {
  namespace tensor = emu::tensor;
  constexpr tensor::Shape kShape = {.m = 16,
                                    .n = 8,
                                    .k = 16,
                                    .a = tensor::Type::f16,
                                    .b = tensor::Type::f16,
                                    .c = tensor::Type::f32};
  constexpr int kFraction = tensor::kHopper.sixteen_bits.fraction_bits;
  const auto sum = static_cast<double>(panel.at("sum").get<float>());
  std::array<std::uint32_t, kShape.k> a{}, b{};
  std::vector<double> terms = {sum};
  for (const auto& [x, y] : panel.at("products").get<std::vector<std::pair<double, double>>>()) {
    a.at(terms.size() - 1) = half_bits(x);
    b.at(terms.size() - 1) = half_bits(y);
    terms.push_back(x * y);
  }
  int first = exponent_of(sum), last = first - kFloatBits + 1;
  for (const double term : terms) {
    first = std::max(first, exponent_of(term));
    last = std::min(last, exponent_of(term) - 2 * kHalfBits + 1);
  }
  const int end = first - kFraction;  // the last bit that is added
  const Columns columns = {first, first - last + 1};
  draw_heading(svg, panel.at("heading"), panel.at("words"));
  draw_weights(svg, columns, {first, end, last});
  const double top = svg.y;
  double exact = 0.0, cut = 0.0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const int bits = i == 0 ? kFloatBits : 2 * kHalfBits;
    const int from = exponent_of(terms[i]);
    const char* const own = i == 0 ? "used" : "second";
    draw_bits(svg, columns, i == 0 ? "sum" : fmt::format("a b, {}", i), terms[i], from,
              from - bits + 1, [&](int exponent) { return exponent >= end ? own : "tile t7"; });
    exact += terms[i];
    cut += std::ldexp(std::trunc(std::ldexp(terms[i], -end)), end);
  }
  const double at = columns.left_of(end - 1);
  svg.line(at, top - 4, at, svg.y - 2, "border");

  const auto result = static_cast<double>(
      float_of(tensor::dot(tensor::kHopper, kShape, a.data(), b.data(),
                           std::bit_cast<std::uint32_t>(static_cast<float>(sum)))));
  const int result_end = exponent_of(cut) - kFloatBits + 1;
  if (result != std::ldexp(std::trunc(std::ldexp(cut, -result_end)), result_end))
    throw std::runtime_error("the tensor core adds up otherwise than the picture says");
  const auto nearest = static_cast<double>(static_cast<float>(exact));
  draw_bits(svg, columns, "result", result, exponent_of(result), result_end,
            [](int) { return "used"; });
  const double unit = std::ldexp(1.0, result_end);
  draw_caption(svg,
               fmt::format("{:.2f} of its last bit too small; rounded to the nearest, it would "
                           "be {:.2f} too {}",
                           (exact - result) / unit, std::abs(exact - nearest) / unit,
                           nearest > exact ? "large" : "small"));
}

}  // namespace pictures
