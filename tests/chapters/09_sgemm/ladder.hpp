#pragma once

/// @file
/// The steps of the ladder, and where they can be tested.

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

/// A problem, and for how many multiprocessors its tiles are dealt out.
struct Shared {
  course::SgemmSize size;
  int multiprocessors = 8;
};

/// An upper bound of what any step asks for.
inline std::size_t workspace_floats(const Sgemm& s) {
  const std::size_t m = s.m, n = s.n, k = s.k;
  const std::size_t copies = m * (k + 3) + k * (n + 3);
  constexpr int kCounters = 4 * last_block::kMostBlocks;
  return kCounters + copies + pieces_floats(s);
}

/// Those with TMA come last.
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

/// What other chapters fall back on.
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

/// Whether the step is to be tested here: no mutant of another step is under test, and this device
/// can run it. Among those that have TMA, the ones with so much shared memory a block
/// can.
inline bool is_tested(const Step& step) {
  if (is_another_mutated(step)) return false;
  constexpr int kSharedBytes = 192 * 1024;
  int bytes = 0;
  course::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  return !has_tma(step) || bytes >= kSharedBytes;
}

}  // namespace sgemm_test
