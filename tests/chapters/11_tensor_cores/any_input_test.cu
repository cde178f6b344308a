/// Tests that the last step is as accurate as FFMA for any numbers, including infinities and NaN.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../../../chapters/09_sgemm/steps/10_double_buffer.cuh"
#include "course/backend.hpp"
#include "inputs.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {
namespace {

const Step kFfma = {"09_sgemm/steps/10_double_buffer", double_buffer::launch};

double roundings(const Step& step, const SgemmProblem& problem) {
  return course::sgemm_error(problem, sgemm_test::run(step, problem).c).roundings;
}

/// Returns whether two results have infinities and NaN at the same positions with the same signs.
bool are_alike(const std::vector<float>& one, const std::vector<float>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (std::isnan(one[i]) != std::isnan(other[i])) return false;
    if (std::isinf(one[i]) != std::isinf(other[i])) return false;
    if (std::isinf(one[i]) && one[i] != other[i]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("any_input is about as accurate as FFMA, whatever the matrices") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  for (const SgemmSize& size : {SgemmSize{60, 70, 100}, SgemmSize{40, 30, 200}})
    for (const inputs::Name& kind : inputs::kAll) {
      CAPTURE(kind.name);
      CAPTURE(size);
      const SgemmProblem problem = inputs::make(kind.kind, size, /*seed=*/8);
      CHECK(roundings(one, problem) <= 1.5 * roundings(kFfma, problem));
    }
}

TEST_CASE("any_input is about as accurate as FFMA, however far exponents lie apart") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  for (const inputs::Kind kind : {inputs::Kind::rows, inputs::Kind::opposed})
    for (const int exponent : {10, 20, 60, 80, 90, 100, 120}) {
      // Rows of A and columns of B may both be that far from 1.
      if (kind == inputs::Kind::rows && exponent > 60) continue;
      CAPTURE(exponent);
      const SgemmProblem problem = inputs::make(kind, {60, 70, 100}, /*seed=*/8, exponent);
      CHECK(roundings(one, problem) <= 1.5 * roundings(kFfma, problem));
    }
}

TEST_CASE("large_tile loses what halves cannot hold") {
  const Step one = step("large_tile");
  if (!is_tested(one)) return;
  const SgemmProblem problem = inputs::make(inputs::Kind::opposed, {60, 70, 100}, /*seed=*/8);
  CHECK(roundings(one, problem) > kCutOffFactor * problem.size.k);
}

TEST_CASE("any_input has infinities and NaN where FFMA has them") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  const SgemmProblem finite = course::make_sgemm_problem({70, 40, 50}, /*seed=*/8, 1.5f, 0.5f);
  for (const float x : {INFINITY, -INFINITY, NAN})
    for (const bool in_a : {true, false}) {
      SgemmProblem problem = finite;
      std::vector<float>& matrix = in_a ? problem.a : problem.b;
      matrix[matrix.size() / 2] = x;
      if (!std::isnan(x)) matrix[0] = x;
      const Outcome outcome = sgemm_test::run(one, problem, {.gap = 3, .offset = 1});
      const std::vector<float> expected = sgemm_test::run(kFfma, problem).c;
      CHECK(outcome.gaps_intact);
      CHECK(are_alike(outcome.c, expected));
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (std::isfinite(expected[i])) CHECK(outcome.c[i] == doctest::Approx(expected[i]));
    }
}

TEST_CASE("any_input overflows and underflows where FFMA does") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  for (const int exponent : {100, 63, -60, -70, -100}) {
    CAPTURE(exponent);
    SgemmProblem problem = course::make_sgemm_problem({40, 30, 64}, /*seed=*/8);
    for (float& x : problem.a) x = std::ldexp(1.5f + x / 4, exponent);
    for (float& x : problem.b) x = std::ldexp(1.5f + x / 4, exponent);
    const std::vector<float> c = sgemm_test::run(one, problem).c;
    const std::vector<float> expected = sgemm_test::run(kFfma, problem).c;
    CHECK(are_alike(c, expected));
    for (std::size_t i = 0; i < c.size(); ++i)
      if (std::isfinite(expected[i]))
        CHECK(std::abs(c[i] - expected[i]) <= 1e-5f * std::abs(expected[i]) + 0x1p-142f);
  }
}

TEST_CASE("any_input leaves few products to FFMA") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  const auto problem = [](int k) { return course::make_sgemm_problem({40, 30, k}, /*seed=*/8); };
  const Outcome few = sgemm_test::run(one, problem(32)), more = sgemm_test::run(one, problem(33));
  CHECK(few.c == sgemm_test::run(kFfma, problem(32)).c);
  CHECK(more.c != sgemm_test::run(kFfma, problem(33)).c);
  if (!few.counted || !more.counted) return;
  CHECK(few.counted->tensor.instructions == 0);
  CHECK(more.counted->tensor.instructions > 0);
}

}  // namespace tensor_test
