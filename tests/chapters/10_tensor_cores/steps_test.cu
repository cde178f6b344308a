/// Every step is right, and costs what its documentation says.

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

/// Whether the blocks find the counts and largest elements at zero again.
bool is_zero_again(const std::vector<float>& workspace, const SgemmSize& size) {
  constexpr std::size_t kAnswer = 1;  // the verdict stays
  constexpr std::size_t kSingles = 3, kPerColumn = 2;
  const std::size_t zeros = kPerColumn * size.n + kSingles;
  for (std::size_t i = workspace.size() - kAnswer - zeros; i < workspace.size() - kAnswer; ++i)
    if (workspace[i] != 0.0f) return false;
  return true;
}

/// Checks what one kernel's documentation says of an execution.
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

course::Counters counted_by(const Step& step, const SgemmProblem& problem, int multiprocessors) {
  return sgemm_test::run(step, problem, {}, {.multiprocessors = multiprocessors}).counted.value();
}

}  // namespace

TEST_CASE("every step is right at and around the edges of its tiles") {
  for_each_step([](const Step& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 1, 1}, SgemmSize{31, 33, 31}, SgemmSize{33, 31, 32}, SgemmSize{65, 63, 33},
          SgemmSize{63, 65, 64}, SgemmSize{127, 129, 33}, SgemmSize{129, 127, 64},
          SgemmSize{64, 191, 100}, SgemmSize{128, 192, 36}, SgemmSize{1, 193, 34},
          SgemmSize{257, 1, 35}, SgemmSize{1, 1, 257}})
      check_step(step, size, 1.5f, 0.5f);
  });
}

TEST_CASE("every step does nothing for an empty C, and scales C where there is nothing to add") {
  for_each_step(sgemm_test::check_nothing_to_do);
}

TEST_CASE("every step takes rows with gaps, and pointers that are aligned to a float only") {
  for_each_step(sgemm_test::check_layouts);
}

TEST_CASE("alpha and beta: 0 does not read what it would be multiplied with") {
  for_each_step(sgemm_test::check_factors);
}

TEST_CASE("blocks go from tile to tile, through the whole ring and again") {
  for (const char* name : {"persistent", "fitting_tiles", "any_input", "clusters"}) {
    const Step one = step(name);
    if (!is_tested(one)) continue;
    for (const int multiprocessors : {1, 3})
      check_step(one, {300, 200, 90}, 1.5f, 0.5f, {}, {.multiprocessors = multiprocessors});
  }
}

TEST_CASE("every step leaves its workspace so that it can be launched again") {
  for_each_step([](const Step& step) {
    std::vector<float> workspace;
    check_step(step, {130, 70, 40}, 1.5f, 0.5f, {}, {.launches = 3, .workspace = &workspace});
    if (step.workspace_floats != nullptr) CHECK(is_zero_again(workspace, {130, 70, 40}));
  });
}

TEST_CASE("every counter that a step's documentation names is what it says") {
  if (!course::backend().reports_counters) return;
  for_each_step([](const Step& step) {
    const bool fits = step.name() == "fitting_tiles" || step.name() == "any_input";
    const bool has_kernel = step.name() != "large_tile" && step.name() != "fitting_tiles";
    const int tile_n = fits ? 64 : step.name() == "wgmma" ? 128 : 192;
    check_expectations(step, has_kernel ? "sgemm" : "launch", kWholeTiles, tile_n,
                       counted_by(step, sgemm_test::problem_for(step, kWholeTiles), 132));
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
  // Tiles of halves and of tf32 are stored alike.
  course::Counters more = opposed;
  more -= counted(inputs::Kind::even);
  check_expectations(one, "split_again", kSize, 128, more);
}

}  // namespace tensor_test
