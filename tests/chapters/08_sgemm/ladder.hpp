#pragma once

/// @file
/// The steps of the ladder, launched alike on matrices that lie anywhere in memory.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/sgemm_check.hpp"
#include "kernels_under_test.hpp"

namespace sgemm_test {

using course::divide_up;
using course::SgemmSize;

struct Step {
  std::string file;  ///< in the chapter's folder steps, without its ending
  Launch* launch;
  bool by_copy_engine = false;

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
          {"11_bulk_copies", kernels.bulk_copies, true},
          {"12_slices", kernels.slices, true},
          {"13_even_shares", kernels.even_shares, true}};
}

inline Step step(const std::string& name) {
  for (const Step& one : steps())
    if (one.name() == name) return one;
  throw std::logic_error("no step " + name);
}

/// Whether this device can run the step; among those that have the copy engine, the ones with so
/// much shared memory a block.
inline bool can_run(const Step& step) {
  constexpr int kSharedBytes = 192 * 1024;
  int bytes = 0;
  course::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  return !step.by_copy_engine || bytes >= kSharedBytes;
}

/// How a matrix lies in memory.
struct Layout {
  int gap = 0;     ///< floats from the end of one row to the next
  int offset = 0;  ///< floats before the first row
};

inline constexpr float kInGap =
    std::numeric_limits<float>::quiet_NaN();  // spoils whatever reads it

/// A dense matrix, [rows, cols], laid out.
inline std::vector<float> laid_out(const std::vector<float>& values, int rows, int cols,
                                   const Layout& layout) {
  std::vector<float> result(layout.offset + std::size_t(rows) * (cols + layout.gap), kInGap);
  for (int row = 0; row < rows; ++row)
    std::copy_n(values.begin() + std::ptrdiff_t(row) * cols, cols,
                result.begin() + layout.offset + std::ptrdiff_t(row) * (cols + layout.gap));
  return result;
}

struct Outcome {
  std::vector<float> c;  ///< dense
  bool gaps_intact = true;
  std::optional<course::Counters> counted;  ///< of all launches
};

/// An upper bound of what any step asks for.
inline std::size_t workspace_floats(const SgemmSize& s, int multiprocessors) {
  constexpr int kLeastTileM = 32, kLeastTileN = 16, kLeastPanel = 32, kMostTileFloats = 128 * 256;
  const auto [m, n, k] = s;
  const int tiles = divide_up(m, kLeastTileM) * divide_up(n, kLeastTileN);
  const std::size_t copies = std::size_t(m) * (k + 3) + std::size_t(k) * (n + 3);
  const std::size_t blocks =
      std::min<std::size_t>(multiprocessors, std::size_t(tiles) * divide_up(k, kLeastPanel));
  return copies + 2 * blocks * kMostTileFloats + tiles;
}

/// Who multiplies, and how often from the same C.
struct Effort {
  int multiprocessors = 132;
  int launches = 1;
};

inline Outcome run(const Step& step, const course::SgemmProblem& problem, const Layout& layout = {},
                   const Effort& effort = {}) {
  const auto [m, n, k] = problem.size;
  const course::DeviceBuffer<float> a(laid_out(problem.a, m, k, layout), "A");
  const course::DeviceBuffer<float> b(laid_out(problem.b, k, n, layout), "B");
  const std::vector<float> before = laid_out(problem.c, m, n, layout);
  course::DeviceBuffer<float> c(before, "C");
  const std::size_t floats =
      step.by_copy_engine ? workspace_floats(problem.size, effort.multiprocessors) : 0;
  course::DeviceBuffer<float> workspace(std::vector<float>(floats), "the workspace");
  const Sgemm s = {.m = m,
                   .n = n,
                   .k = k,
                   .alpha = problem.alpha,
                   .A = a.data() + layout.offset,
                   .lda = k + layout.gap,
                   .B = b.data() + layout.offset,
                   .ldb = n + layout.gap,
                   .beta = problem.beta,
                   .C = c.data() + layout.offset,
                   .ldc = n + layout.gap,
                   .multiprocessors = effort.multiprocessors,
                   .workspace = workspace.data()};
  Outcome outcome;
  outcome.counted = course::count([&] {
    for (int i = 0; i < effort.launches; ++i) {
      c.from_host(before);
      step.launch(s, nullptr);
      course::check_launch();
    }
  });
  const std::vector<float> after = c.to_host();
  outcome.gaps_intact = workspace.guards_intact();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::size_t inside = i - layout.offset, ld = n + layout.gap;
    if (i >= std::size_t(layout.offset) && inside % ld < std::size_t(n))
      outcome.c.push_back(after[i]);
    else
      outcome.gaps_intact = outcome.gaps_intact && after[i] != after[i];
  }
  return outcome;
}

}  // namespace sgemm_test
