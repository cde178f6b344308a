/// Tests the product for any size: it uses tensor cores if they are expected to be faster,
/// otherwise FFMA, which is also used for inputs that tensor cores cannot handle.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../../../chapters/09_sgemm/steps/10_double_buffer.cuh"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "inputs.hpp"
#include "tensor_ladder.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace tensor_test {
namespace {

using sgemm_test::check_step;

/// Returns an upper bound of the workspace: the split parts, and the FFMA product's need.
std::size_t enough_floats(const Sgemm& s) {
  constexpr std::size_t kFfma = 4 * 2048 + 64;
  return split::workspace_floats(s) + kFfma + std::size_t(s.m) * (s.k + 3) +
         std::size_t(s.k) * (s.n + 3) + sgemm_test::pieces_floats(s);
}

Step any_size() {
  Step one = {"11_tensor_cores/any_size", kernels_under_test().any_size, enough_floats};
  return one;
}

Sgemm problem_of(const SgemmSize& size, int multiprocessors) {
  Sgemm s = {};
  s.m = size.m;
  s.n = s.ldb = s.ldc = size.n;
  s.k = s.lda = size.k;
  s.alpha = 1.0f;
  s.multiprocessors = multiprocessors;
  return s;
}

constexpr int kSingle = 1;  // one multiprocessor: tensor cores then pay off for small matrices
constexpr SgemmSize kForTensorCores[] = {{126, 190, 400}, {127, 189, 403}};
constexpr SgemmSize kForFfma[] = {{33, 31, 100}, {300, 260, 32}, {1, 257, 300}, {16, 300, 40}};

/// Checks that two results have infinities and NaN at the same positions, and are close elsewhere.
void check_alike(const std::vector<float>& c, const std::vector<float>& expected) {
  CHECK(c.size() == expected.size());
  bool alike = true;
  for (std::size_t i = 0; i < c.size() && alike; ++i) {
    if (std::isfinite(expected[i]))
      alike = std::abs(c[i] - expected[i]) <= 1e-4f * (1.0f + std::abs(expected[i]));
    else
      alike =
          std::isnan(c[i]) == std::isnan(expected[i]) && (std::isnan(c[i]) || c[i] == expected[i]);
  }
  CHECK(alike);
}

}  // namespace

TEST_CASE("any_size is right, whoever multiplies") {
  const Step one = any_size();
  if (!is_tested(one)) return;
  for (const SgemmSize& size : kForTensorCores) {
    const Outcome outcome = check_step(one, size, 1.5f, 0.5f, {}, {.multiprocessors = kSingle});
    if (outcome.counted) CHECK(outcome.counted->tensor.instructions > 0);
  }
  check_step(one, kForTensorCores[1], 1.5f, 0.5f, {.gap = 3, .offset = 1},
             {.multiprocessors = kSingle});
  for (const SgemmSize& size : kForFfma) {
    const Outcome outcome = check_step(one, size, 1.5f, 0.5f, {}, {.multiprocessors = kSingle});
    if (outcome.counted) CHECK(outcome.counted->tensor.instructions == 0);
  }
  sgemm_test::check_nothing_to_do(one);
  sgemm_test::check_factors(one);
}

TEST_CASE("any_size leaves matrices to FFMA that nobody else can hold, and only these") {
  const Step one = any_size();
  if (!is_tested(one)) return;
  const Step ffma = {"09_sgemm/steps/10_double_buffer", double_buffer::launch};
  const SgemmSize size = kForTensorCores[1];
  course::DeviceBuffer<float> workspace =
      sgemm_test::workspace_of(enough_floats(problem_of(size, kSingle)));
  const SgemmProblem finite = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
  const std::vector<float> finite_c = sgemm_test::run(ffma, finite).c;
  const sgemm_test::Effort effort = {.multiprocessors = kSingle, .kept = &workspace};
  struct Case {
    float x;
    bool in_a;
  };
  for (const auto& [x, in_a] : {Case{INFINITY, true}, Case{NAN, false}, Case{0x1p127f, true}}) {
    CAPTURE(x);
    SgemmProblem problem = finite;
    std::vector<float>& matrix = in_a ? problem.a : problem.b;
    matrix[matrix.size() / 2] = x;
    const Outcome outcome = sgemm_test::run(one, problem, {}, effort);
    check_alike(outcome.c, sgemm_test::run(ffma, problem).c);
    CHECK(outcome.gaps_intact);
    if (outcome.counted) CHECK(outcome.counted->tensor.instructions == 0);
    // The next product uses tensor cores again.
    const Outcome next = sgemm_test::run(one, finite, {}, effort);
    check_alike(next.c, finite_c);
    if (next.counted) CHECK(next.counted->tensor.instructions > 0);
  }
}

TEST_CASE("any_size is about as accurate as FFMA, whatever the matrices") {
  const Step one = any_size();
  if (!is_tested(one)) return;
  const Step ffma = {"09_sgemm/steps/10_double_buffer", double_buffer::launch};
  const SgemmSize size = kForTensorCores[0];
  for (const inputs::Name& kind : inputs::kAll) {
    CAPTURE(kind.name);
    const SgemmProblem problem = inputs::make(kind.kind, size, /*seed=*/8);
    const auto roundings = [&](const Step& step) {
      const Outcome outcome = sgemm_test::run(step, problem, {}, {.multiprocessors = kSingle});
      return course::sgemm_error(problem, outcome.c).roundings;
    };
    CHECK(roundings(one) <= 1.5 * roundings(ffma));
  }
}

TEST_CASE("the costs of any_size are those that were fitted to measurements") {
  const auto record = tools::parse_json(
      tools::read_file(tools::source_folder() / "docs/measurements/tensor_costs.json"));
  const std::string source =
      tools::read_file(tools::source_folder() / "chapters/11_tensor_cores/any_size.cuh");
  const std::size_t begin = source.find("kCosts = {");
  CHECK(begin != std::string::npos);
  const std::string costs = source.substr(begin, source.find(';', begin) - begin);
  std::vector<double> found;
  const tools::Pattern number("[0-9.]+(e-?[0-9]+)?");
  for (const tools::Match& one : number.all(costs)) found.push_back(std::stod(one.str()));
  std::vector<double> recorded;
  for (const char* name : {"start", "split_a_mb", "split_b_mb", "split_row"})
    recorded.push_back(record["costs"][name].get<double>());
  for (const char* name : {"round", "round_spans"})
    for (const double one : record["costs"][name]) recorded.push_back(one);
  CHECK(found == recorded);
}

}  // namespace tensor_test
