#include "course/sgemm_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "course/error.hpp"
#include "course/inputs.hpp"

using course::check_sgemm;
using course::check_sgemm_sampled;
using course::Comparison;
using course::make_sgemm_problem;
using course::SgemmProblem;
using course::SgemmSize;

namespace {

constexpr SgemmSize kSizes[] = {{1, 1, 1},   {32, 32, 32}, {33, 31, 65}, {1, 100, 7},
                                {100, 1, 7}, {5, 6, 0},    {64, 3, 300}};

/// Multiplies as a kernel does: float sums, one product after the other.
std::vector<float> float_sgemm(const SgemmProblem& problem) {
  const auto [m, n, k] = problem.size;
  std::vector<float> c = problem.c;
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < n; ++col) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) {
        sum += problem.a[static_cast<std::size_t>(row * k + p)] *
               problem.b[static_cast<std::size_t>(p * n + col)];
      }
      float& out = c[static_cast<std::size_t>(row * n + col)];
      out = problem.beta == 0.0f ? problem.alpha * sum : problem.alpha * sum + problem.beta * out;
    }
  }
  return c;
}

/// Rounds to the 10 fraction bits that tensor cores keep of a float.
float to_tf32(float value) {
  constexpr float kKeep = 8193.0f;  // 2^13 + 1: Veltkamp's splitting
  const float scaled = value * kKeep;
  return scaled - (scaled - value);
}

}  // namespace

TEST_CASE("a hand-made product") {
  SgemmProblem problem{.size = {2, 2, 3},
                       .alpha = 2.0f,
                       .beta = -1.0f,
                       .seed = 0,
                       .a = {1, 2, 3, 4, 5, 6},
                       .b = {7, 8, 9, 10, 11, 12},
                       .c = {1, 2, 3, 4},
                       .expected = {}};
  // A B = {58, 64, 139, 154}
  CHECK(course::sgemm_reference(problem) == std::vector<float>{115, 126, 275, 304});
  problem.beta = 0.0f;
  problem.c.assign(4, std::numeric_limits<float>::quiet_NaN());
  CHECK(course::sgemm_reference(problem) == std::vector<float>{116, 128, 278, 308});
}

TEST_CASE("float sums pass both checks, for every alpha and beta") {
  for (const SgemmSize& size : kSizes) {
    for (const auto& [alpha, beta] :
         {std::pair{1.0f, 0.0f}, {1.0f, 1.0f}, {-0.5f, 2.0f}, {0.0f, 1.0f}, {0.0f, 0.0f}}) {
      CAPTURE(size.m);
      CAPTURE(size.n);
      CAPTURE(size.k);
      CAPTURE(alpha);
      CAPTURE(beta);
      const SgemmProblem problem = make_sgemm_problem(size, 8, alpha, beta);
      const std::vector<float> result = float_sgemm(problem);
      CHECK(check_sgemm(problem, result).failure == "");
      CHECK(check_sgemm_sampled(problem, result).failure == "");
    }
  }
}

TEST_CASE("beta = 0 must not read C: it is all NaN") {
  const SgemmProblem problem = make_sgemm_problem({8, 9, 10}, 1, 1.0f, 0.0f);
  REQUIRE(problem.c.size() == 72);
  for (const float value : problem.c) CHECK(std::isnan(value));
  std::vector<float> result = float_sgemm(problem);
  CHECK(check_sgemm(problem, result).ok());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += 0.0f * problem.c[i];
  CHECK_FALSE(check_sgemm(problem, result).ok());
  CHECK_FALSE(check_sgemm_sampled(problem, result).ok());
}

TEST_CASE("empty matrices") {
  for (const SgemmSize& size :
       {SgemmSize{0, 0, 0}, SgemmSize{0, 5, 5}, SgemmSize{5, 0, 5}, SgemmSize{0, 0, 5}}) {
    const SgemmProblem problem = make_sgemm_problem(size, 1, 1.0f, 1.0f);
    CHECK(check_sgemm(problem, {}).ok());
    CHECK(check_sgemm_sampled(problem, {}).ok());
    CHECK(size.flops() == 0.0);
  }
  const SgemmProblem sumless = make_sgemm_problem({2, 2, 0}, 1, 3.0f, 0.5f);
  for (std::size_t i = 0; i < 4; ++i) CHECK(sumless.expected[i] == 0.5f * sumless.c[i]);
  CHECK(check_sgemm(make_sgemm_problem({2, 2, 0}, 1), std::vector<float>(4, 0.0f)).ok());
}

TEST_CASE("a result of another size is a failure") {
  const SgemmProblem problem = make_sgemm_problem({2, 3, 4}, 1);
  CHECK(check_sgemm(problem, std::vector<float>(5)).failure == " has 5 values, expected 6");
  CHECK(check_sgemm_sampled(problem, std::vector<float>(5)).failure == " has 5 values, expected 6");
}

TEST_CASE("a negative size and one beyond memory are refused") {
  CHECK_THROWS_AS(make_sgemm_problem({-1, 1, 1}, 1), course::UsageError);
  const int most = std::numeric_limits<int>::max();
  CHECK_THROWS_AS(make_sgemm_problem({most, most, most}, 1), course::UsageError);
  CHECK_THROWS_AS(make_sgemm_problem({most, 1, most}, 1), course::UsageError);
}

TEST_CASE("one wrong element is found and named, wherever it is") {
  const SgemmProblem problem = make_sgemm_problem({40, 50, 60}, 3, 1.0f, 1.0f);
  const std::vector<float> right = float_sgemm(problem);
  for (const std::size_t i : {0, 49, 50, 777, 1950, 1999}) {
    CAPTURE(i);
    std::vector<float> wrong = right;
    wrong[i] += 0.01f;
    for (const Comparison& result :
         {check_sgemm(problem, wrong), check_sgemm_sampled(problem, wrong)}) {
      REQUIRE(result.mismatch.has_value());
      CHECK(result.mismatch->index == i);
      const std::string place =
          "[" + std::to_string(i / 50) + ", " + std::to_string(i % 50) + "] is ";
      CHECK(result.failure.starts_with(place));
      CHECK(result.max_error == doctest::Approx(0.01).epsilon(0.01));
    }
    wrong[i] = std::numeric_limits<float>::quiet_NaN();
    CHECK(check_sgemm(problem, wrong).mismatch->index == i);
    CHECK(check_sgemm_sampled(problem, wrong).mismatch->index == i);
    wrong[i] = -wrong[i];
    CHECK(check_sgemm(problem, wrong).failure.find(" is nan, expected ") != std::string::npos);
    wrong[i] = std::numeric_limits<float>::infinity();
    CHECK_FALSE(check_sgemm_sampled(problem, wrong).ok());
  }
}

TEST_CASE("the sampled check finds an element that no sample hits, by Freivalds") {
  // 90 000 elements and 260 samples: hardly one of 200 elements is sampled.
  const SgemmProblem problem = make_sgemm_problem({300, 300, 16}, 5);
  const std::vector<float> right = float_sgemm(problem);
  REQUIRE(check_sgemm_sampled(problem, right).ok());
  course::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<float> wrong = right;
    const std::size_t i = random.below(wrong.size());
    wrong[i] += 0.01f;
    const Comparison result = check_sgemm_sampled(problem, wrong);
    REQUIRE(result.mismatch.has_value());
    CHECK(result.mismatch->index == i);
  }
}

TEST_CASE("errors that cancel in a sum do not cancel in every random one") {
  const SgemmProblem problem = make_sgemm_problem({300, 300, 16}, 5);
  const std::vector<float> right = float_sgemm(problem);
  int found = 0;
  constexpr int kTrials = 200;
  course::Random random(12);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<float> wrong = right;
    const std::size_t row = random.below(300) * 300;
    wrong[row + random.below(150)] += 0.5f;
    wrong[row + 150 + random.below(150)] -= 0.5f;
    found += check_sgemm_sampled(problem, wrong).ok() ? 0 : 1;
  }
  CHECK(found > kTrials * 85 / 100);  // on average, one in 16 is missed
}

TEST_CASE("a tile that was skipped, doubled or shifted is found") {
  const SgemmProblem problem = make_sgemm_problem({96, 96, 200}, 2);
  const std::vector<float> right = float_sgemm(problem);
  for (const auto& spoil : {+[](float) { return 0.0f; }, +[](float value) { return 2 * value; }}) {
    std::vector<float> wrong = right;
    for (std::size_t row = 64; row < 96; ++row) {
      for (std::size_t col = 64; col < 96; ++col)
        wrong[row * 96 + col] = spoil(wrong[row * 96 + col]);
    }
    CHECK_FALSE(check_sgemm(problem, wrong).ok());
    CHECK_FALSE(check_sgemm_sampled(problem, wrong).ok());
  }
  std::vector<float> transposed = right;
  for (std::size_t row = 0; row < 96; ++row) {
    for (std::size_t col = 0; col < 96; ++col) transposed[row * 96 + col] = right[col * 96 + row];
  }
  CHECK_FALSE(check_sgemm_sampled(problem, transposed).ok());
}

TEST_CASE("one missing product is found at every K up to 8192 that fits a test") {
  for (const int k : {1, 2, 32, 1000, 8192}) {
    CAPTURE(k);
    const SgemmProblem problem = make_sgemm_problem({3, 3, k}, 6);
    std::vector<float> wrong = float_sgemm(problem);
    REQUIRE(check_sgemm(problem, wrong).ok());
    wrong[4] -= 0.05f;  // smaller than three products in four
    CHECK_FALSE(check_sgemm(problem, wrong).ok());
    CHECK_FALSE(check_sgemm_sampled(problem, wrong).ok());
  }
}

TEST_CASE("inputs rounded to TF32 are found, so that a tensor core cannot pass for FP32") {
  for (const int k : {16, 256, 4096}) {
    CAPTURE(k);
    const SgemmProblem problem = make_sgemm_problem({20, 20, k}, 6);
    SgemmProblem rounded = problem;
    for (float& value : rounded.a) value = to_tf32(value);
    for (float& value : rounded.b) value = to_tf32(value);
    CHECK_FALSE(check_sgemm(problem, float_sgemm(rounded)).ok());
    CHECK_FALSE(check_sgemm_sampled(problem, float_sgemm(rounded)).ok());
  }
}

TEST_CASE("a product on tensor cores may be as wrong as it says, and no more") {
  SgemmProblem problem = make_sgemm_problem({32, 32, 256}, 5);
  SgemmProblem rounded = problem;
  for (auto* matrix : {&rounded.a, &rounded.b})
    for (float& value : *matrix) value = to_tf32(value);
  const std::vector<float> c = float_sgemm(rounded);
  problem.tolerance_factor = 8192.0;
  CHECK(check_sgemm(problem, c).ok());
  problem.tolerance_factor = 8.0;
  CHECK_FALSE(check_sgemm(problem, c).ok());
}

TEST_CASE("errors by three measures") {
  const SgemmProblem problem{.size = {2, 2, 3},
                             .alpha = 2.0f,
                             .beta = -1.0f,
                             .a = {1, 2, 3, 4, 5, 6},
                             .b = {7, 8, 9, 10, 11, 12},
                             .c = {1, 2, 3, 4},
                             .expected = {}};
  const std::vector<float> right = {115, 126, 275, 304};
  const course::SgemmError none = course::sgemm_error(problem, right);
  CHECK(none.frobenius == 0.0);
  CHECK(none.largest == 0.0);
  CHECK(none.roundings == 0.0);

  std::vector<float> off = right;
  off[0] += 3.0f;  // 2 x 58 + 1 roundings
  off[3] -= 4.0f;
  const course::SgemmError some = course::sgemm_error(problem, off);
  const double squared = 115.0 * 115 + 126.0 * 126 + 275.0 * 275 + 304.0 * 304;
  CHECK(some.frobenius == doctest::Approx(5.0 / std::sqrt(squared)));
  CHECK(some.largest == doctest::Approx(4.0 / 304));
  CHECK(some.roundings == doctest::Approx(3.0 / 117 * (1 << 24)));

  off[1] = std::numeric_limits<float>::quiet_NaN();
  const course::SgemmError broken = course::sgemm_error(problem, off);
  CHECK(std::isnan(broken.frobenius));
  CHECK(std::isnan(broken.largest));
  CHECK(std::isnan(broken.roundings));
  CHECK_THROWS_AS(course::sgemm_error(problem, std::vector<float>(3)), std::invalid_argument);
}

TEST_CASE("errors of a large product are those of samples, in every corner") {
  const SgemmProblem problem = make_sgemm_problem({100, 90, 40}, 5);
  std::vector<float> c = float_sgemm(problem);
  const course::SgemmError usual = course::sgemm_error(problem, c);
  CHECK(usual.frobenius > 0.0);
  CHECK(usual.frobenius < 1e-6);
  CHECK(usual.roundings < 40.0);
  for (const std::size_t corner : {0u, 89u, 99u * 90, 99u * 90 + 89}) {
    CAPTURE(corner);
    std::vector<float> wrong = c;
    wrong[corner] += 1.0f;
    CHECK(course::sgemm_error(problem, wrong).largest > 1e-2);
  }
}

TEST_CASE("beyond the limit there is no expected matrix, and the sampled check takes over") {
  const SgemmProblem problem = make_sgemm_problem({8192, 33, 513}, 4, 1.0f, 1.0f);
  CHECK(problem.expected.empty());
  std::vector<float> result = float_sgemm(problem);
  const Comparison right = check_sgemm(problem, result);
  CHECK(right.failure == "");
  CHECK(right.compared == 260);
  result[100'000] += 0.1f;
  CHECK(check_sgemm(problem, result).mismatch->index == 100'000);
}

TEST_CASE("problems are made from their seed: A, B and C unlike") {
  const SgemmProblem one = make_sgemm_problem({4, 4, 4}, 1, 1.0f, 1.0f);
  CHECK(one.a == make_sgemm_problem({4, 4, 4}, 1, 1.0f, 1.0f).a);
  CHECK(one.a != make_sgemm_problem({4, 4, 4}, 2, 1.0f, 1.0f).a);
  CHECK(one.a != one.b);
  CHECK(one.b != one.c);
  CHECK(SgemmSize{2, 3, 4}.flops() == 48.0);
}
