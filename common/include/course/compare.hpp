#pragma once

/// @file
/// Comparison of results in which a NaN never passes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace course {

/// The permitted error of a result: |actual - expected| <= absolute + relative x |expected|.
struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;

  /// Permits no error: for copies, permutations and integers.
  static constexpr Tolerance exact() { return {}; }
};

/// Half the distance from 1 to the next float: the relative error of one rounding.
inline constexpr double kFloatRounding = 1.0 / (1 << 24);

/// For a float sum of `terms` products of factors within [-1, 1), in any order, times `alpha`, plus
/// `beta` times a value within [-1, 1).
///
/// The error of such a sum is a random walk whose spread is about 0.14 x terms x 2^-24; the bound
/// is 4 x (|alpha| (terms + 1) + |beta|) x 2^-24, which is far beyond six spreads, yet well below
/// what one missing term or inputs rounded to fewer bits would change.
Tolerance sgemm_tolerance(std::int64_t terms, double alpha = 1.0, double beta = 0.0);

/// The first element that is wrong.
struct Mismatch {
  std::size_t index = 0;
  double actual = 0.0;
  double expected = 0.0;
};

/// What a comparison found.
struct Comparison {
  std::optional<Mismatch> mismatch;  ///< the first one; nothing if all is well
  std::size_t mismatches = 0;        ///< how many there were
  std::size_t compared = 0;          ///< how many values were compared
  double max_error = 0.0;  ///< greatest |actual - expected|; NaN if an actual value was NaN
  std::string failure;     ///< one line that says what is wrong; empty if all is well

  bool ok() const noexcept { return failure.empty(); }
};

/// Compares element by element; unequal lengths are a failure, NaN on either side is a mismatch,
/// and an infinity equals only itself.
///
/// For float, double, and the signed and unsigned integers of 8, 32 and 64 bits; integers are
/// compared exactly whatever the tolerance.
template <class T>
Comparison compare(std::span<const T> actual, std::span<const T> expected,
                   Tolerance tolerance = {});

template <class T>
Comparison compare(const std::vector<T>& actual, const std::vector<T>& expected,
                   Tolerance tolerance = {}) {
  return compare(std::span<const T>(actual), std::span<const T>(expected), tolerance);
}

/// Returns only the first mismatch; see compare(). Unequal lengths are a mismatch at the shorter
/// length.
template <class T>
std::optional<Mismatch> first_mismatch(const std::vector<T>& actual, const std::vector<T>& expected,
                                       Tolerance tolerance = {}) {
  return compare(actual, expected, tolerance).mismatch;
}

}  // namespace course
