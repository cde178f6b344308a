#pragma once

/// @file
/// Checks C = alpha A B + beta C: in full for small matrices, within seconds for large ones.

#include <cstdint>
#include <span>
#include <vector>

#include "course/compare.hpp"

namespace course {

/// A is [m, k], B is [k, n], C is [m, n]; any of them may be empty.
struct SgemmSize {
  int m = 0;
  int n = 0;
  int k = 0;

  /// Returns 2 m n k: a multiplication and an addition per product.
  double flops() const { return 2.0 * m * n * k; }
};

/// Up to this number of products, the check computes every element of C.
inline constexpr double kSgemmFullCheckProducts = 512.0 * 512.0 * 512.0;

/// Inputs of one SGEMM, row-major, and the expected result if the problem is small.
struct SgemmProblem {
  SgemmSize size;
  float alpha = 1.0f;
  float beta = 0.0f;
  std::uint64_t seed = 0;
  std::vector<float> a;  ///< [m, k]
  std::vector<float> b;  ///< [k, n]
  std::vector<float>
      c;  ///< [m, n], as it is before; all NaN if beta is 0, so that reading it shows
  std::vector<float> expected;  ///< [m, n], from float64 sums; empty beyond kSgemmFullCheckProducts
  /// Multiplies fp32's tolerance, for sums that are not made in fp32.
  double tolerance_factor = 1.0;
};

/// Makes random A, B and (unless beta is 0) C.
/// @throws UsageError if a size is negative or the matrices do not fit into memory
SgemmProblem make_sgemm_problem(SgemmSize size, std::uint64_t seed, float alpha = 1.0f,
                                float beta = 0.0f);

/// Returns alpha A B + beta C from float64 sums. As in BLAS, C is not read if beta is 0.
std::vector<float> sgemm_reference(const SgemmProblem& problem);

/// Checks `result`, [m, n].
///
/// Small problems: every element against the reference. Large ones: float64 dot products at
/// sampled positions (the corners and edges of C, then random ones) plus Freivalds' check, which
/// multiplies the result and the factors by random vectors of +-1 in float64: it sees every
/// element, and a single wrong one for certain if it is off by more than the tolerance times
/// sqrt(n).
Comparison check_sgemm(const SgemmProblem& problem, std::span<const float> result);

/// The error of a result against float64 sums, at up to 4096 positions: all, or the corners and
/// random ones. NaN if the result has one.
struct SgemmError {
  /// Root of the sum of squared errors, relative to that of squared results.
  double frobenius = 0.0;
  double largest = 0.0;  ///< the largest error, relative to the largest result
  /// The largest error in units of 2^-24 (|alpha| |A| |B| + |beta| |C|).
  double roundings = 0.0;
};
SgemmError sgemm_error(const SgemmProblem& problem, std::span<const float> result);

/// Runs the part of check_sgemm() for large problems, at any size.
Comparison check_sgemm_sampled(const SgemmProblem& problem, std::span<const float> result);

}  // namespace course
