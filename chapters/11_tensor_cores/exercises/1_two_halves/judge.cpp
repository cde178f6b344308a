#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_1 {

using coursework::Trial;

constexpr int kWarp = 32;

/// 2^exponents of rows: all that a float has for `extremes`, with both ends in the first two rows.
int exponent_of_row(const Trial& trial, int row, course::Random& random) {
  constexpr int kLeast = -140, kMost = 127, kOrdinary = 20;
  if (trial.group() != "extremes") return static_cast<int>(random.below(2 * kOrdinary)) - kOrdinary;
  if (row == 0) return kLeast;
  if (row == 1) return kMost;
  return kLeast + static_cast<int>(random.below(kMost - kLeast));
}

/// Random elements up to 2^(exponent + 1), some much smaller than others. The first is nearly
/// that, so that it would round up.
std::vector<float> elements(const Trial& trial) {
  constexpr int kSmaller = 12, kFew = 3;
  const int rows = trial["rows"], width = trial["width"];
  const bool has_zeros = trial.group() == "zeros";
  course::Random random(trial.seed(1));
  std::vector<float> values;
  for (int row = 0; row < rows; ++row) {
    const int exponent = exponent_of_row(trial, row, random);
    for (int col = 0; col < width; ++col) {
      const int smaller = static_cast<int>(random.below(kSmaller));
      const bool is_zero = has_zeros && (row % 2 == 0 || random.below(kFew) == 0);
      const float x = random.unit_float() * 2.0f;
      values.push_back(is_zero ? 0.0f : std::ldexp(x, exponent - smaller));
    }
    if (!has_zeros && row % kFew != 2)
      values[static_cast<std::size_t>(row * width)] =
          std::ldexp(2.0f - std::numeric_limits<float>::epsilon(), exponent);
  }
  return values;
}

/// How many bits of `x` are right.
std::string correct_bits(double error, double x) {
  return std::to_string(std::max(0, static_cast<int>(-std::log2(error / std::abs(x)))));
}

/// Ends the trial unless a row is split; everything is exact in double.
void expect_row(const Trial& trial, int row, const std::vector<float>& values,
                const std::vector<__half>& high, const std::vector<__half>& low, int exponent) {
  constexpr int kBits = 22, kBelowLargest = 38, kMostExponent = 400;
  const int width = trial["width"];
  const auto begin = static_cast<std::size_t>(row * width);
  float largest = 0.0f;
  for (int col = 0; col < width; ++col)
    largest = std::max(largest, std::abs(values[begin + static_cast<std::size_t>(col)]));
  const std::string which = "Row " + std::to_string(row);
  trial.expect(std::abs(exponent) <= kMostExponent,
               which + " has the exponent " + std::to_string(exponent) +
                   (largest == 0.0f ? ", and is all zeros." : ", which no float needs."));
  const double unit = std::ldexp(1.0, exponent);
  for (int col = 0; col < width; ++col) {
    const std::size_t i = begin + static_cast<std::size_t>(col);
    const double x = values[i], h = __half2float(high[i]), l = __half2float(low[i]);
    const std::string element = which + ", column " + std::to_string(col);
    trial.expect(
        !std::isnan(h) && !std::isnan(l),
        element + ": a part is no number. Did you write both, and is the high part finite?");
    trial.expect(std::isfinite(h) && std::isfinite(l),
                 element + ": a part is infinite. A half ends at 65504; the row's exponent is " +
                     std::to_string(exponent) + ".");
    const double least = std::ldexp(static_cast<double>(largest), -kBelowLargest);
    const double error = std::abs((h + l) * unit - x);
    if (trial.group() == "zeros") {
      trial.expect(x != 0.0 || error == 0.0, element + " is zero, and high + low is not.");
      continue;  // the others are what `halves` is about
    }
    if (error <= std::max(std::ldexp(std::abs(x), -kBits), least)) continue;
    trial.expect(l != 0.0 || h == 0.0,
                 element + ": the low part is zero, and the high part alone has " +
                     correct_bits(error, x) + " correct bits of the element; 22 are wanted.");
    trial.expect(false, element + ": (high + low) x 2^exponent has " + correct_bits(error, x) +
                            " correct bits of the element; 22 are wanted. Divided by 2^" +
                            std::to_string(exponent) + ", the row's largest element is " +
                            std::to_string(largest / unit) + ".");
  }
}

void judge(Trial& trial) {
  const int rows = trial["rows"], width = trial["width"];
  const std::vector<float> values = elements(trial);

  // A row begins anywhere in a sector.
  coursework::PaperRequests once, by_warps;
  for (int row = 0; row < rows; ++row) {
    for (int begin = 0; begin < width; begin += kWarp) {
      for (int col = begin; col < std::min(begin + kWarp, width); ++col)
        by_warps.lane(row * width + col);
      by_warps.end_request();
    }
  }
  for (int i = 0; i < rows * width; ++i) once.lane(i);
  once.end_request();
  trial.set("sectors", static_cast<double>(once.sectors()));
  trial.set("warp_sectors", static_cast<double>(by_warps.sectors()));

  const auto high = trial.output<__half>(values.size()), low = trial.output<__half>(values.size());
  const auto exponents = trial.output<int>(static_cast<std::size_t>(rows));
  trial.launch("two_halves", {rows, kWarp}, width, trial.input(values), high, low, exponents);

  const auto highs = trial.read(high), lows = trial.read(low);
  const auto chosen = trial.read(exponents);
  for (int row = 0; row < rows; ++row)
    expect_row(trial, row, values, highs, lows, chosen[static_cast<std::size_t>(row)]);
}

const coursework::Registered registered("11_1", judge);

}  // namespace exercise_11_1
