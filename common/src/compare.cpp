#include "course/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace course {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
bool is_within(T actual, T expected, double error, const Tolerance& tolerance) {
  if constexpr (std::is_integral_v<T>) {
    return actual == expected;
  } else {
    if (actual == expected) return true;
    if (!std::isfinite(actual) || !std::isfinite(expected)) return false;
    return error <=
           tolerance.absolute + tolerance.relative * std::abs(static_cast<double>(expected));
  }
}

/// Returns
/// actual - expected
/// , or NaN if either is.
template <class T>
double error_of(T actual, T expected) {
  if (actual == expected) return 0.0;  // infinities too
  return std::abs(static_cast<double>(actual) - static_cast<double>(expected));
}

/// Returns the value as text: characters as numbers, and NaN without its sign.
template <class T>
std::string printable(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "nan";
    return fmt::format("{}", value);
  } else if constexpr (sizeof(T) == 1) {
    return fmt::format("{}", static_cast<int>(value));
  } else {
    return fmt::format("{}", value);
  }
}

}  // namespace

Tolerance sgemm_tolerance(std::int64_t terms, double alpha, double beta) {
  constexpr double kMargin = 4.0;
  const double roundings = std::abs(alpha) * (static_cast<double>(terms) + 1.0) + std::abs(beta);
  return {.absolute = kMargin * roundings * kFloatRounding, .relative = 0.0};
}

template <class T>
Comparison compare(std::span<const T> actual, std::span<const T> expected, Tolerance tolerance) {
  Comparison result;
  const std::size_t common = std::min(actual.size(), expected.size());
  result.compared = common;
  for (std::size_t i = 0; i < common; ++i) {
    const double error = error_of(actual[i], expected[i]);
    if (!(error <= result.max_error)) {  // true for NaN, which then stays
      if (!std::isnan(result.max_error)) result.max_error = error;
    }
    if (is_within(actual[i], expected[i], error, tolerance)) continue;
    ++result.mismatches;
    if (!result.mismatch) {
      result.mismatch = Mismatch{.index = i,
                                 .actual = static_cast<double>(actual[i]),
                                 .expected = static_cast<double>(expected[i])};
    }
  }

  if (result.mismatch) {
    const std::size_t i = result.mismatch->index;
    result.failure =
        fmt::format("[{}] is {}, expected {} ({} of {} wrong)", i, printable(actual[i]),
                    printable(expected[i]), result.mismatches, common);
  }
  if (actual.size() != expected.size()) {
    result.failure = fmt::format(" has {} values, expected {}", actual.size(), expected.size());
    result.mismatches += std::max(actual.size(), expected.size()) - common;
    if (!result.mismatch) {
      const auto value_or_nan = [common](std::span<const T> values) {
        return common < values.size() ? static_cast<double>(values[common]) : kNaN;
      };
      result.mismatch = Mismatch{
          .index = common, .actual = value_or_nan(actual), .expected = value_or_nan(expected)};
    }
  }
  return result;
}

template Comparison compare(std::span<const float>, std::span<const float>, Tolerance);
template Comparison compare(std::span<const double>, std::span<const double>, Tolerance);
template Comparison compare(std::span<const signed char>, std::span<const signed char>, Tolerance);
template Comparison compare(std::span<const unsigned char>, std::span<const unsigned char>,
                            Tolerance);
template Comparison compare(std::span<const int>, std::span<const int>, Tolerance);
template Comparison compare(std::span<const unsigned>, std::span<const unsigned>, Tolerance);
template Comparison compare(std::span<const long>, std::span<const long>, Tolerance);
template Comparison compare(std::span<const unsigned long>, std::span<const unsigned long>,
                            Tolerance);
template Comparison compare(std::span<const long long>, std::span<const long long>, Tolerance);
template Comparison compare(std::span<const unsigned long long>,
                            std::span<const unsigned long long>, Tolerance);

}  // namespace course
