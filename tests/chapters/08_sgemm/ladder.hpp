#pragma once

/// @file
/// The steps of the ladder, launched alike on matrices that lie anywhere in memory.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "chapters/matrices.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/sgemm_check.hpp"
#include "kernels_under_test.hpp"

namespace sgemm_test {

using course::divide_up;
using course::SgemmSize;
using course_test::laid_out;
using course_test::Layout;
using course_test::Outcome;

struct Step {
  std::string file;  ///< in the chapter's folder steps, without its ending
  Launch* launch;
  bool by_tma = false;

  std::string name() const { return file.substr(file.find('_') + 1); }
};

inline std::vector<Step> steps() {
  const Kernels kernels = kernels_under_test();
  return {{"01_naive", kernels.naive},
          {"02_coalesced", kernels.coalesced},
          {"03_shared_tile", kernels.shared_tile},
          {"04_thread_tile_1d", kernels.thread_tile_1d},
          {"05_thread_tile_2d", kernels.thread_tile_2d},
          {"06_vectorised", kernels.vectorised},
          {"07_conflict_free", kernels.conflict_free},
          {"08_tuned", kernels.tuned},
          {"09_warp_tiles", kernels.warp_tiles},
          {"10_double_buffer", kernels.double_buffer},
          {"11_tma", kernels.tma, true},
          {"12_swizzle", kernels.swizzle, true},
          {"13_large_tile", kernels.large_tile, true},
          {"14_register_order", kernels.register_order, true},
          {"15_slices", kernels.slices, true},
          {"16_even_shares", kernels.even_shares, true},
          {"17_any_shape", kernels.any_shape, true}};
}

inline Step step(const std::string& name) {
  for (const Step& one : steps())
    if (one.name() == name) return one;
  throw std::logic_error("no step " + name);
}

/// Whether the step is to be tested here: no mutant of another step is under test, and this device
/// can run it. Among those that have TMA, the ones with so much shared memory a block
/// can.
inline bool is_tested(const Step& step) {
  const char* mutated = std::getenv("COURSE_MUTATED_KERNEL");
  if (mutated != nullptr && step.name() != mutated) return false;
  constexpr int kSharedBytes = 192 * 1024;
  int bytes = 0;
  course::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  return !step.by_tma || bytes >= kSharedBytes;
}

/// An upper bound of what any step asks for.
inline std::size_t workspace_floats(const SgemmSize& s, int multiprocessors) {
  constexpr int kLeastTileM = 16, kLeastTileN = 16, kLeastPanel = 32, kMostTileFloats = 128 * 256;
  const auto [m, n, k] = s;
  const int tiles = divide_up(m, kLeastTileM) * divide_up(n, kLeastTileN);
  const std::size_t copies = std::size_t(m) * (k + 3) + std::size_t(k) * (n + 3);
  const std::size_t blocks =
      std::min<std::size_t>(multiprocessors, std::size_t(tiles) * divide_up(k, kLeastPanel));
  return copies + 2 * blocks * (kMostTileFloats + 1) + tiles;
}

/// Who multiplies, and how often from the same C.
struct Effort {
  int multiprocessors = 132;
  int launches = 1;
};

/// The counters are the last launch's.
inline Outcome run(const Step& step, const course::SgemmProblem& problem, const Layout& layout = {},
                   const Effort& effort = {}) {
  const auto [m, n, k] = problem.size;
  const std::size_t floats =
      step.by_tma ? workspace_floats(problem.size, effort.multiprocessors) : 0;
  course::DeviceBuffer<float> workspace(std::vector<float>(floats), "the workspace");
  const auto launch = [&, m = m, n = n, k = k](const float* a, const float* b, float* c) {
    step.launch({.m = m,
                 .n = n,
                 .k = k,
                 .alpha = problem.alpha,
                 .A = a + layout.offset,
                 .lda = k + layout.gap,
                 .B = b + layout.offset,
                 .ldb = n + layout.gap,
                 .beta = problem.beta,
                 .C = c + layout.offset,
                 .ldc = n + layout.gap,
                 .multiprocessors = effort.multiprocessors,
                 .workspace = workspace.data()},
                nullptr);
  };
  Outcome outcome;
  for (int i = 0; i < effort.launches; ++i)
    outcome =
        course_test::multiply(laid_out(problem.a, m, k, layout), laid_out(problem.b, k, n, layout),
                              laid_out(problem.c, m, n, layout), launch)
            .dense(m, n, layout);
  outcome.gaps_intact = outcome.gaps_intact && workspace.guards_intact();
  return outcome;
}

}  // namespace sgemm_test
