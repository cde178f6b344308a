#pragma once

/// @file
/// A layer of a neural network with numbers of bfloat16, and what float64 makes of it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../11_tensor_cores/short_matrices.hpp"
#include "course/compare.hpp"
#include "course/inputs.hpp"
#include "course/sgemm_check.hpp"

namespace layers {

/// C = max(0, A B + bias).
struct Problem {
  short_matrices::Problem product;
  std::vector<float> bias;  ///< [n]
};

inline Problem make(const course::SgemmSize& size, std::uint64_t seed) {
  constexpr std::uint64_t kBiasStream = 100;  // of the seed's numbers; the matrices have others
  return {
      .product = short_matrices::make(size, seed),
      .bias = course::random_floats(std::size_t(size.n), course::derive_seed(seed, kBiasStream))};
}

/// The rows that are compared element by element: all of a small C, and 64 of a large one.
inline std::vector<int> compared_rows(const course::SgemmSize& size) {
  constexpr int kRows = 64;
  const bool is_small = 1.0 * size.m * size.n * size.k <= course::kSgemmFullCheckProducts;
  const int rows = is_small ? size.m : std::min(size.m, kRows);
  std::vector<int> numbers;
  for (int i = 0; i < rows; ++i)
    numbers.push_back(rows == 1 ? 0 : static_cast<int>(1LL * i * (size.m - 1) / (rows - 1)));
  return numbers;
}

/// Checks C, [m, n]: some rows against sums in float64, and of every element that it is no negative
/// number and not what memory was poisoned with. Rounding a number twice to 8 bits costs less than
/// 2^-7 of it.
inline course::Comparison check(const Problem& problem, const std::vector<float>& c) {
  const auto& [m, n, k] = problem.product.floats.size;
  std::vector<float> actual, expected;
  for (const int row : compared_rows({m, n, k})) {
    std::vector<double> sums(problem.bias.begin(), problem.bias.end());
    for (int p = 0; p < k; ++p) {
      const double a = problem.product.floats.a[std::size_t(row) * k + p];
      const float* const b = problem.product.floats.b.data() + std::size_t(p) * n;
      for (int col = 0; col < n; ++col) sums[col] += a * b[col];
    }
    for (int col = 0; col < n; ++col) {
      expected.push_back(static_cast<float>(std::max(0.0, sums[col])));
      actual.push_back(c[std::size_t(row) * n + col]);
    }
  }
  constexpr double kLargest = 0x1p-7;
  course::Comparison comparison =
      course::compare(actual, expected, {.absolute = kLargest * (std::sqrt(k) + 1.0)});
  if (comparison.ok() && !std::ranges::all_of(c, [](float value) { return value >= 0.0f; }))
    comparison.failure = " has an element that is negative, or was never written";
  return comparison;
}

}  // namespace layers
