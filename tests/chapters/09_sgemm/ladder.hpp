#pragma once

/// @file
/// The steps of the ladder, and the devices that can run them.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "chapters/sgemm_ladder.hpp"
#include "course/error.hpp"
#include "kernels_under_test.hpp"
#include "steps/last_block.cuh"

namespace sgemm_test {

constexpr int kDemandFloats =
    4;  // of a workspace, behind the counters: on_demand's word, and a gap

/// A problem, and the number of multiprocessors among which its tiles are divided.
struct Shared {
  course::SgemmSize size;
  int multiprocessors = 8;
};

/// Returns an upper bound of any step's workspace.
inline std::size_t workspace_floats(const Sgemm& s) {
  const std::size_t m = s.m, n = s.n, k = s.k;
  const std::size_t copies = m * (k + 3) + k * (n + 3);
  constexpr int kCounters = 4 * last_block::kMostBlocks;
  return kCounters + copies + pieces_floats(s);
}

/// Returns the steps; those with TMA are last.
inline std::vector<Step> steps() {
  const Kernels kernels = kernels_under_test();
  std::vector<Step> all = {{"01_naive", kernels.naive},
                           {"02_coalesced", kernels.coalesced},
                           {"03_shared_tile", kernels.shared_tile},
                           {"04_thread_tile_1d", kernels.thread_tile_1d},
                           {"05_thread_tile_2d", kernels.thread_tile_2d},
                           {"06_vectorised", kernels.vectorised},
                           {"07_conflict_free", kernels.conflict_free},
                           {"08_tuned", kernels.tuned},
                           {"09_warp_tiles", kernels.warp_tiles},
                           {"10_double_buffer", kernels.double_buffer},
                           {"11_tma", kernels.tma, workspace_floats},
                           {"12_swizzle", kernels.swizzle, workspace_floats},
                           {"13_large_tile", kernels.large_tile, workspace_floats},
                           {"14_register_order", kernels.register_order, workspace_floats},
                           {"15_slices", kernels.slices, workspace_floats},
                           {"16_even_shares", kernels.even_shares, workspace_floats},
                           {"17_any_shape", kernels.any_shape, workspace_floats}};
  for (Step& one : all) one.file = "09_sgemm/steps/" + one.file;
  return all;
}

/// Returns the step that other chapters fall back on.
inline Step on_demand() {
  constexpr auto kFloats = [](const Sgemm& s) { return workspace_floats(s) + kDemandFloats; };
  return {"09_sgemm/on_demand", kernels_under_test().on_demand, kFloats};
}

inline bool has_tma(const Step& step) { return step.workspace_floats != nullptr; }

inline Step step(const std::string& name) {
  for (const Step& one : steps())
    if (one.name() == name) return one;
  throw std::logic_error("no step " + name);
}

/// Returns whether to test the step here: no mutant of another step is tested, and the device can
/// run it. TMA steps also need enough shared memory per block.
inline bool is_tested(const Step& step) {
  if (is_another_mutated(step)) return false;
  constexpr int kSharedBytes = 192 * 1024;
  int bytes = 0;
  course::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  return !has_tma(step) || bytes >= kSharedBytes;
}

}  // namespace sgemm_test
