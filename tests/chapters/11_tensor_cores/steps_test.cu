/// Tests that every step is right and costs what its documentation says.

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "inputs.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {
namespace {

using sgemm_test::check_step;

/// Checks one kernel's expectations for an execution.
void check_expectations(const Step& step, const std::string& kernel, const SgemmSize& size,
                        int tile_n, const course::Counters& counted) {
  CAPTURE(step.file);
  CAPTURE(kernel);
  std::vector<sgemm_test::Expectation> of_kernel;
  for (const sgemm_test::Expectation& one : sgemm_test::expectations_of(step.file))
    if (one.kernel == kernel) of_kernel.push_back(one);
  CHECK(of_kernel.size() >= 2);
  const sgemm_test::Names names = {{"m", size.m}, {"n", size.n}, {"k", size.k}, {"kTileN", tile_n}};
  sgemm_test::check_counters(of_kernel, names, [&](const std::string& name) {
    return course::counter(counted, name).value();
  });
}

constexpr SgemmSize kWholeTiles = {128, 384, 64};  // of 64, 128 and 192 columns

/// Returns the counters of a step without the splitting pass.
course::Counters counted_by(const Step& step, const SgemmProblem& problem, int multiprocessors) {
  const auto run = [&](const Step& one) {
    return sgemm_test::run(one, problem, {}, {.multiprocessors = multiprocessors}).counted.value();
  };
  course::Counters counted = run(step);
  if (step.workspace_floats != nullptr) {
    const auto only_split = [](const Sgemm& s, cudaStream_t stream) {
      split::launch(s, split::parts_of(s), stream);
    };
    counted -= run({"split", only_split, split::workspace_floats});
  }
  return counted;
}

}  // namespace

TEST_CASE("every step is right at and around the edges of its tiles") {
  for_each_step([](const Step& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 1, 1}, SgemmSize{31, 33, 31}, SgemmSize{33, 31, 32}, SgemmSize{65, 63, 33},
          SgemmSize{127, 129, 33}, SgemmSize{129, 64, 36}, SgemmSize{63, 191, 64},
          SgemmSize{128, 192, 36}, SgemmSize{1, 193, 34}, SgemmSize{1, 1, 257}})
      check_step(step, size, 1.5f, 0.5f);
  });
}

TEST_CASE("every step does nothing for an empty C, and scales C where there is nothing to add") {
  for_each_step(sgemm_test::check_nothing_to_do);
}

TEST_CASE("every step takes rows with gaps, and pointers that are aligned to a float only") {
  for_each_step([](const Step& step) {
    // In any_input, FFMA's steps multiply up to 32 k, too.
    sgemm_test::check_layouts(step, step.name() == "any_input" ? 36 : 20);
  });
}

TEST_CASE("alpha and beta: 0 does not read what it would be multiplied with") {
  for_each_step(sgemm_test::check_factors);
}

TEST_CASE("rows of A and columns of B may have exponents of their own") {
  for_each_step([](const Step& step) {
    CAPTURE(step.file);
    const SgemmProblem problem = inputs::make(inputs::Kind::rows, {33, 67, 40}, /*seed=*/8);
    const double roundings =
        course::sgemm_error(problem, sgemm_test::run(step, problem).c).roundings;
    CHECK(roundings <= step.tolerance_factor * problem.size.k);
  });
}

TEST_CASE("blocks go from tile to tile, through the whole ring and again") {
  for (const char* name : {"persistent", "fitting_tiles", "any_input", "clusters"}) {
    const Step one = step(name);
    if (!is_tested(one)) continue;
    check_step(one, {257, 200, 40}, 1.5f, 0.5f, {}, {.multiprocessors = 2});
  }
}

TEST_CASE("every step leaves its workspace so that it can be launched again") {
  for_each_step([](const Step& step) {
    std::vector<float> workspace;
    check_step(step, {33, 70, 36}, 1.5f, 0.5f, {}, {.launches = 3, .workspace = &workspace});
    if (step.workspace_floats != nullptr) CHECK(is_zero_again(workspace, {33, 70, 36}));
  });
}

TEST_CASE("every counter that a step's documentation names is what it says") {
  if (!course::backend().reports_counters) return;
  for_each_step([](const Step& step) {
    const bool fits = step.name() == "fitting_tiles" || step.name() == "any_input";
    const bool has_kernel = step.name() != "large_tile" && step.name() != "fitting_tiles";
    const int tile_n = fits ? 64 : step.name() == "wgmma" ? 128 : 192;
    SgemmSize size = kWholeTiles;
    if (step.name() == "clusters") size.m *= 2;  // tiles of a cluster
    check_expectations(step, has_kernel ? "sgemm" : "launch", size, tile_n,
                       counted_by(step, sgemm_test::problem_for(step, size), 132));
  });
}

TEST_CASE("tiles are as large as leaves no multiprocessor without work") {
  if (!course::backend().reports_counters) return;
  struct Case {
    int multiprocessors, tile_n;
  };
  for (const char* name : {"fitting_tiles", "any_input"}) {
    const Step one = step(name);
    if (!is_tested(one)) continue;
    for (const auto& [multiprocessors, tile_n] :
         {Case{1, 192}, Case{2, 192}, Case{3, 128}, Case{5, 128}, Case{6, 64}})
      check_expectations(
          one, one.name() == "any_input" ? "sgemm" : "launch", kWholeTiles, tile_n,
          counted_by(one, sgemm_test::problem_for(one, kWholeTiles), multiprocessors));
  }
}

TEST_CASE("any_input's other kernels cost what their documentation says") {
  const Step one = step("any_input");
  if (!course::backend().reports_counters || !is_tested(one)) return;
  constexpr SgemmSize kSize = {128, 256, 128};
  const auto counted = [&](inputs::Kind kind) {
    return counted_by(one, inputs::make(kind, kSize, /*seed=*/8), 132);
  };
  const course::Counters opposed = counted(inputs::Kind::opposed);
  check_expectations(one, "sgemm_others", kSize, 128, opposed);
  // Tiles of halves and of tf32 are stored in the same way.
  course::Counters more = opposed;
  more -= counted(inputs::Kind::even);
  check_expectations(one, "split_again", kSize, 128, more);
}

}  // namespace tensor_test
