#pragma once

/// @file
/// Matrices of bfloat16, and what float64 makes of their product.

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "course/sgemm_check.hpp"

namespace short_matrices {

inline std::vector<__nv_bfloat16> rounded(const std::vector<float>& values) {
  std::vector<__nv_bfloat16> result(values.size());
  std::ranges::transform(values, result.begin(), [](float x) { return __float2bfloat16_rn(x); });
  return result;
}

inline std::vector<float> widened(const std::vector<__nv_bfloat16>& values) {
  std::vector<float> result(values.size());
  std::ranges::transform(values, result.begin(),
                         [](__nv_bfloat16 x) { return __bfloat162float(x); });
  return result;
}

/// A and B in both formats; the floats are those that bfloat16 can hold.
struct Problem {
  course::SgemmProblem floats;
  std::vector<__nv_bfloat16> a, b;
};

/// Random A and B. Elements of C have a spread of sqrt(k) / 3, so rounding them to 8 bits costs
/// less than sqrt(k) / 2^7, and that is the tolerance; one that is wrong is off by much more.
inline Problem make(const course::SgemmSize& size, std::uint64_t seed) {
  Problem problem{.floats = course::make_sgemm_problem(size, seed), .a = {}, .b = {}};
  course::SgemmProblem& floats = problem.floats;
  problem.a = rounded(floats.a);
  problem.b = rounded(floats.b);
  floats.a = widened(problem.a);
  floats.b = widened(problem.b);
  if (!floats.expected.empty()) floats.expected = course::sgemm_reference(floats);
  constexpr double kLargest = 0x1p-7;
  floats.tolerance_factor = kLargest * std::sqrt(size.k) / course::sgemm_tolerance(size.k).absolute;
  return problem;
}

}  // namespace short_matrices
