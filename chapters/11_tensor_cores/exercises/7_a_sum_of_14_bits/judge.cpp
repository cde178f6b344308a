#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../short_sum.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_7 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 64;

/// What an 8-bit float of three mantissa bits could be, times a power of two: from -1 to 1.
float short_number(course::Random& random, int lowest_exponent) {
  constexpr int kMantissas = 8;
  const float mantissa = 1.0f + static_cast<float>(random.below(kMantissas)) / kMantissas;
  const int exponent = -1 - static_cast<int>(random.below(-lowest_exponent));
  return std::ldexp(random.below(2) == 0 ? mantissa : -mantissa, exponent);
}

/// The rows of a group of cases.
std::vector<float> products_of(const Trial& trial, int rows, int terms) {
  constexpr int kZeroIn = 10;
  course::Random random(trial.seed(1));
  std::vector<float> products;
  for (int row = 0; row < rows; ++row)
    for (int p = 0; p < terms; ++p) {
      float product = short_number(random, trial.group() == "cut" ? -17 : -12);
      if (trial.group() == "stuck") product = 1.0f + 0.25f * static_cast<float>(row);
      if (trial.group() == "one sign") product = std::abs(product);
      if (trial.group() == "cut" && p == terms / 2) product = row % 2 == 0 ? 1.0f : -1.75f;
      if (trial.group() == "signs" && random.below(kZeroIn) == 0) product = 0.0f;
      products.push_back(product);
    }
  // Two rows in which nothing is left.
  if (trial.group() == "signs" && rows > 2) {
    for (int p = 0; p < terms; ++p) products[p] = 0.0f;
    for (int p = 0; p < terms; ++p)
      products[std::size_t(terms) + p] = p < 2 ? (p == 0 ? 0.5f : -0.5f) : 0.0f;
  }
  return products;
}

void judge(Trial& trial) {
  const int rows = trial["rows"], terms = trial["terms"];
  const std::vector<float> products = products_of(trial, rows, terms);
  const auto sums = trial.output<float>(rows);
  trial.launch("sum_rows", {divide_up(rows, kThreads), kThreads}, rows, terms,
               trial.input(products), sums);

  const auto result = trial.read(sums);
  for (int row = 0; row < rows; ++row) {
    const float* const of_row = products.data() + std::size_t(row) * terms;
    const float expected = short_sum::sum(terms, of_row);
    double exact = 0.0;
    for (int p = 0; p < terms; ++p) exact += of_row[p];
    trial.expect(result[row] == expected,
                 "The sum of row " + std::to_string(row) + " is " + std::to_string(result[row]) +
                     ", and an H100 gets " +
                     (result[row] < expected   ? "more"
                      : result[row] > expected ? "less"
                                               : "a number") +
                     (result[row] == static_cast<float>(exact)
                          ? ". You have the exact sum, which takes more than 14 bits."
                          : "."));
  }
}

const coursework::Registered registered("11_7", judge);

}  // namespace exercise_11_7
