#pragma once

/// @file
/// The chapter's steps, and the devices that can run them.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "chapters/sgemm_ladder.hpp"
#include "course/backend.hpp"
#include "kernels_under_test.hpp"
#include "steps/split.cuh"
#include "tolerances.hpp"

namespace tensor_test {

using course::SgemmProblem;
using course::SgemmSize;
using sgemm_test::Outcome;
using sgemm_test::Step;

/// Returns the steps. Clusters, which are not a step of the ladder, are last.
inline std::vector<Step> steps() {
  const Kernels kernels = kernels_under_test();
  std::vector<Step> all = {
      {"steps/01_one_product", kernels.one_product, nullptr, kTf32Factor},
      {"steps/02_three_products", kernels.three_products, split::workspace_floats, kCutOffFactor},
      {"steps/03_wgmma", kernels.wgmma, split::workspace_floats, kCutOffFactor},
      {"steps/04_large_tile", kernels.large_tile, split::workspace_floats, kCutOffFactor},
      {"steps/05_promotion", kernels.promotion, split::workspace_floats},
      {"steps/06_producer", kernels.producer, split::workspace_floats},
      {"steps/07_registers", kernels.registers, split::workspace_floats},
      {"steps/08_longer_pieces", kernels.longer_pieces, split::workspace_floats},
      {"steps/09_persistent", kernels.persistent, split::workspace_floats},
      {"steps/10_fitting_tiles", kernels.fitting_tiles, split::workspace_floats},
      {"steps/11_any_input", kernels.any_input, split::workspace_floats},
      {"clusters", kernels.clusters, split::workspace_floats}};
  for (Step& one : all) one.file = "11_tensor_cores/" + one.file;
  return all;
}

inline Step step(const std::string& name) {
  for (const Step& one : steps())
    if (one.name() == name) return one;
  throw std::logic_error("no step " + name);
}

/// Returns whether to test the step here: no mutant of another step is tested, and the device has
/// wgmma.
inline bool is_tested(const Step& step) {
  constexpr int kHopper = 9;
  const course::Device device = course::current_device();
  return !sgemm_test::is_another_mutated(step) && device.compute_major == kHopper &&
         device.compute_minor == 0;
}

/// Calls check(step) for every step to be tested.
template <class Check>
void for_each_step(Check check) {
  for (const Step& step : steps())
    if (is_tested(step)) check(step);
}

/// Returns whether the counts and largest elements are zero again for the next launch.
inline bool is_zero_again(const std::vector<float>& workspace, const SgemmSize& size) {
  constexpr std::size_t kAnswers = 2;  // the verdicts, which stay
  constexpr std::size_t kSingles = 3, kPerColumn = 2;
  const std::size_t end = workspace.size() - kAnswers;
  for (std::size_t i = end - kPerColumn * size.n - kSingles; i < end; ++i)
    if (workspace[i] != 0.0f) return false;
  return true;
}

}  // namespace tensor_test
