#include "course/sgemm_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/memory.hpp"

namespace course {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();  // shown without a sign

constexpr int kSampledPositions = 256;
constexpr std::size_t kErrorPositions = 4096;

/// Number of independent random vectors in Freivalds' check. Errors that cancel in one of them
/// cancel in all with probability 2^-4.
constexpr int kFreivaldsVectors = 4;
using Signs = std::array<double, kFreivaldsVectors>;

/// The use of each sequence of random numbers.
enum Stream : std::uint64_t { kStreamA, kStreamB, kStreamC, kStreamCheck, kStreamError };

std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

std::size_t elements(int rows, int columns) { return as_size(rows) * as_size(columns); }

double products(const SgemmSize& size) {
  return static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.k);
}

bool reads_c(const SgemmProblem& problem) { return problem.beta != 0.0f; }

/// Returns alpha times the sum plus beta times C[row, col], in float64.
double finish(const SgemmProblem& problem, int row, int col, double sum) {
  const double scaled = static_cast<double>(problem.alpha) * sum;
  if (!reads_c(problem)) return scaled;
  const float c = problem.c[elements(row, problem.size.n) + as_size(col)];
  return scaled + static_cast<double>(problem.beta) * static_cast<double>(c);
}

/// Computes one row of alpha A B + beta C, [n], in float64.
void reference_row(const SgemmProblem& problem, int row, std::vector<double>& sums) {
  const auto& [m, n, k] = problem.size;
  sums.assign(as_size(n), 0.0);
  for (int p = 0; p < k; ++p) {
    const auto a = static_cast<double>(problem.a[elements(row, k) + as_size(p)]);
    const float* b = problem.b.data() + elements(p, n);
    for (int col = 0; col < n; ++col) sums[as_size(col)] += a * static_cast<double>(b[col]);
  }
  for (int col = 0; col < n; ++col)
    sums[as_size(col)] = finish(problem, row, col, sums[as_size(col)]);
}

double reference_element(const SgemmProblem& problem, int row, int col) {
  const auto& [m, n, k] = problem.size;
  double sum = 0.0;
  for (int p = 0; p < k; ++p) {
    sum += static_cast<double>(problem.a[elements(row, k) + as_size(p)]) *
           static_cast<double>(problem.b[elements(p, n) + as_size(col)]);
  }
  return finish(problem, row, col, sum);
}

/// Returns |alpha| |A| |B| + |beta| |C| at [row, col], in float64.
double magnitude_of_element(const SgemmProblem& problem, int row, int col) {
  const auto& [m, n, k] = problem.size;
  double sum = 0.0;
  for (int p = 0; p < k; ++p) {
    sum += std::abs(static_cast<double>(problem.a[elements(row, k) + as_size(p)]) *
                    static_cast<double>(problem.b[elements(p, n) + as_size(col)]));
  }
  sum *= std::abs(static_cast<double>(problem.alpha));
  if (!reads_c(problem)) return sum;
  const float c = problem.c[elements(row, n) + as_size(col)];
  return sum + std::abs(static_cast<double>(problem.beta) * static_cast<double>(c));
}

Tolerance tolerance_of(const SgemmProblem& problem) {
  Tolerance tolerance = sgemm_tolerance(problem.size.k, problem.alpha, problem.beta);
  tolerance.absolute *= problem.tolerance_factor;
  return tolerance;
}

/// Returns whether the element is right; the tolerance includes one more rounding to float.
bool is_right(float actual, double expected, const Tolerance& tolerance) {
  return std::abs(static_cast<double>(actual) - expected) <= tolerance.absolute;  // false for NaN
}

void record(Comparison& result, const SgemmProblem& problem, int row, int col, float actual,
            double expected) {
  const double error = std::abs(static_cast<double>(actual) - expected);
  ++result.compared;
  if (!std::isnan(result.max_error) && !(error <= result.max_error)) result.max_error = error;
  if (is_right(actual, expected, tolerance_of(problem))) return;
  ++result.mismatches;
  if (result.mismatch) return;
  result.mismatch = Mismatch{.index = elements(row, problem.size.n) + as_size(col),
                             .actual = static_cast<double>(actual),
                             .expected = expected};
}

/// Describes the failure in one line: where, what, and how much of it.
void describe(Comparison& result, const SgemmProblem& problem, std::string_view how) {
  if (!result.mismatch) return;
  const auto columns = as_size(problem.size.n);
  result.failure = fmt::format("[{}, {}] is {:.9g}, expected {:.9g} ({} of {} {})",
                               result.mismatch->index / columns, result.mismatch->index % columns,
                               std::isnan(result.mismatch->actual) ? kNaN : result.mismatch->actual,
                               result.mismatch->expected, result.mismatches, result.compared, how);
}

void require_same_size(const SgemmProblem& problem, std::span<const float> values,
                       Comparison& result) {
  const std::size_t size = elements(problem.size.m, problem.size.n);
  if (values.size() == size) return;
  result.failure = fmt::format(" has {} values, expected {}", values.size(), size);
}

/// Returns M x for every x of `vectors`, with M [rows, columns].
std::vector<Signs> multiply(std::span<const float> matrix, int rows, int columns,
                            const std::vector<Signs>& vectors) {
  std::vector<Signs> out(as_size(rows));
  for (int row = 0; row < rows; ++row) {
    Signs sums{};
    const float* values = matrix.data() + elements(row, columns);
    for (int col = 0; col < columns; ++col) {
      const auto value = static_cast<double>(values[col]);
      for (int v = 0; v < kFreivaldsVectors; ++v)
        sums[as_size(v)] += value * vectors[as_size(col)][as_size(v)];
    }
    out[as_size(row)] = sums;
  }
  return out;
}

/// Returns the rows of `result` whose product with some random vector is wrong.
std::vector<int> freivalds_suspects(const SgemmProblem& problem, std::span<const float> result,
                                    Random& random) {
  const auto& [m, n, k] = problem.size;
  std::vector<Signs> x(as_size(n));
  for (Signs& signs : x) {
    const std::uint64_t bits = random.bits();
    for (int v = 0; v < kFreivaldsVectors; ++v)
      signs[as_size(v)] = ((bits >> v) & 1) != 0 ? 1.0 : -1.0;
  }

  const std::vector<Signs> b_x = multiply(problem.b, k, n, x);
  const std::vector<Signs> a_b_x = multiply(problem.a, m, k, b_x);
  const std::vector<Signs> result_x = multiply(result, m, n, x);
  const std::vector<Signs> c_x =
      reads_c(problem) ? multiply(problem.c, m, n, x) : std::vector<Signs>();

  // Errors of n elements add up like a random walk; half the elements' own margin is still seven
  // spreads.
  const double tolerance = 0.5 * tolerance_of(problem).absolute * std::sqrt(static_cast<double>(n));
  std::vector<int> suspects;
  for (int row = 0; row < m; ++row) {
    for (int v = 0; v < kFreivaldsVectors; ++v) {
      double expected = static_cast<double>(problem.alpha) * a_b_x[as_size(row)][as_size(v)];
      if (reads_c(problem))
        expected += static_cast<double>(problem.beta) * c_x[as_size(row)][as_size(v)];
      if (std::abs(result_x[as_size(row)][as_size(v)] - expected) <= tolerance) continue;
      suspects.push_back(row);
      break;
    }
  }
  return suspects;
}

}  // namespace

SgemmProblem make_sgemm_problem(SgemmSize size, std::uint64_t seed, float alpha, float beta) {
  const auto& [m, n, k] = size;
  if (m < 0 || n < 0 || k < 0) {
    throw UsageError(fmt::format("an SGEMM of {} x {} x {}: no size may be negative", m, n, k));
  }
  const bool has_expected = products(size) <= kSgemmFullCheckProducts;
  const double floats = static_cast<double>(m) * k + static_cast<double>(k) * n +
                        (has_expected ? 2.0 : 1.0) * static_cast<double>(m) * n;
  require_host_memory(static_cast<std::uint64_t>(floats * sizeof(float)),
                      fmt::format("an SGEMM of {} x {} x {}", m, n, k));

  SgemmProblem problem{.size = size,
                       .alpha = alpha,
                       .beta = beta,
                       .seed = seed,
                       .a = random_floats(elements(m, k), derive_seed(seed, kStreamA)),
                       .b = random_floats(elements(k, n), derive_seed(seed, kStreamB)),
                       .c = {},
                       .expected = {}};
  if (reads_c(problem)) {
    problem.c = random_floats(elements(m, n), derive_seed(seed, kStreamC));
  } else {
    problem.c.assign(elements(m, n), static_cast<float>(kNaN));
  }
  if (has_expected) problem.expected = sgemm_reference(problem);
  return problem;
}

std::vector<float> sgemm_reference(const SgemmProblem& problem) {
  const auto& [m, n, k] = problem.size;
  std::vector<float> out(elements(m, n));
  std::vector<double> row_values;
  for (int row = 0; row < m; ++row) {
    reference_row(problem, row, row_values);
    for (int col = 0; col < n; ++col) {
      out[elements(row, n) + as_size(col)] = static_cast<float>(row_values[as_size(col)]);
    }
  }
  return out;
}

Comparison check_sgemm(const SgemmProblem& problem, std::span<const float> result) {
  if (products(problem.size) > kSgemmFullCheckProducts) return check_sgemm_sampled(problem, result);
  Comparison comparison;
  require_same_size(problem, result, comparison);
  if (!comparison.ok()) return comparison;
  const auto& [m, n, k] = problem.size;
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < n; ++col) {
      const std::size_t i = elements(row, n) + as_size(col);
      record(comparison, problem, row, col, result[i], static_cast<double>(problem.expected[i]));
    }
  }
  describe(comparison, problem, "wrong");
  return comparison;
}

Comparison check_sgemm_sampled(const SgemmProblem& problem, std::span<const float> result) {
  Comparison comparison;
  require_same_size(problem, result, comparison);
  if (!comparison.ok() || result.empty()) return comparison;
  const auto& [m, n, k] = problem.size;
  Random random(derive_seed(problem.seed, kStreamCheck));

  const auto check_at = [&](int row, int col) {
    record(comparison, problem, row, col, result[elements(row, n) + as_size(col)],
           reference_element(problem, row, col));
  };
  for (const int row : {0, m - 1}) {
    for (const int col : {0, n - 1}) check_at(row, col);
  }
  for (int i = 0; i < kSampledPositions; ++i) {
    const auto row = static_cast<int>(random.below(static_cast<std::uint64_t>(m)));
    const auto col = static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    check_at(row, col);
  }
  describe(comparison, problem, "samples wrong");

  const std::vector<int> suspects = freivalds_suspects(problem, result, random);
  if (suspects.empty() || !comparison.ok()) return comparison;

  // No sample was wrong, but a row is: find the element.
  const int row = suspects.front();
  std::vector<double> expected;
  reference_row(problem, row, expected);
  comparison.compared = 0;
  for (int col = 0; col < n; ++col) {
    record(comparison, problem, row, col, result[elements(row, n) + as_size(col)],
           expected[as_size(col)]);
  }
  describe(comparison, problem,
           fmt::format("of its row wrong; rows that fail Freivalds' check: {}", suspects.size()));
  if (comparison.ok()) {
    comparison.failure = fmt::format(
        " fails Freivalds' check in row {}: its elements together are too far off", row);
    comparison.mismatches = 1;
  }
  return comparison;
}

SgemmError sgemm_error(const SgemmProblem& problem, std::span<const float> result) {
  const auto& [m, n, k] = problem.size;
  const std::size_t count = elements(m, n);
  if (result.size() != count) throw std::invalid_argument("the result has another size");
  SgemmError error;
  double squared_error = 0.0, squared = 0.0, largest = 0.0;
  const auto worst_of = [](double a, double b) { return std::isnan(b) || b > a ? b : a; };
  const auto look_at = [&](int row, int col) {
    const double expected = reference_element(problem, row, col);
    const double off =
        std::abs(static_cast<double>(result[elements(row, n) + as_size(col)]) - expected);
    squared_error += off * off;
    squared += expected * expected;
    largest = std::max(largest, std::abs(expected));
    error.largest = worst_of(error.largest, off);
    const double unit = kFloatRounding * magnitude_of_element(problem, row, col);
    if (off != 0.0) error.roundings = worst_of(error.roundings, off / unit);
  };
  if (count <= kErrorPositions) {
    for (int row = 0; row < m; ++row)
      for (int col = 0; col < n; ++col) look_at(row, col);
  } else {
    Random random(derive_seed(problem.seed, kStreamError));
    for (const int row : {0, m - 1})
      for (const int col : {0, n - 1}) look_at(row, col);
    for (std::size_t i = 0; i < kErrorPositions; ++i) {
      const auto row = static_cast<int>(random.below(static_cast<std::uint64_t>(m)));
      look_at(row, static_cast<int>(random.below(static_cast<std::uint64_t>(n))));
    }
  }
  if (squared_error != 0.0) error.frobenius = std::sqrt(squared_error / squared);
  if (error.largest != 0.0) error.largest /= largest;
  return error;
}

}  // namespace course
