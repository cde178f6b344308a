#pragma once

/// @file
/// The chapter's kernels, launched alike, and the tables of its README as arithmetic.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/sgemm_check.hpp"
#include "kernels_under_test.hpp"
#include "transposed.hpp"

namespace maxas_test {

using course::SgemmSize;

inline constexpr int kOwn = 8;   // results of a thread, in either direction
inline constexpr int kQuad = 4;  // of them side by side

/// The table of the threads: where one works.
struct Thread {
  int strip, side;           // of its warp
  int row_group, col_group;  // its rows are 4 x row_group + 0..3, and half a tile further on
};

inline Thread thread_of(int thread, int tile) {
  const int lane = thread % course_test::kWarpSize, warp = thread / course_test::kWarpSize;
  const int strips = tile / 32;  // of 16 columns, to the half of a tile
  const int strip = warp % strips, side = warp / strips;
  return {strip, side, 8 * side + ((lane >> 1) & 7), 4 * strip + (((lane >> 3) & 2) | (lane & 1))};
}

/// Result number i, 0..7, of a row or column group, counted from the tile's first.
inline int own_index(int group, int i, int tile) {
  return kQuad * group + i % kQuad + (i < kQuad ? 0 : tile / 2);
}

/// How a variant's epilogue goes about C.
enum class Epilogue { staged, direct, wide };

struct Variant {
  const char* name;
  int tile;
  Epilogue epilogue;
  Staged* staged;
  Direct* direct;

  int threads() const { return tile * tile / (kOwn * kOwn); }
};

inline Variant maxas_64() {
  return {"maxas_64", 64, Epilogue::staged, kernels_under_test().maxas_64, nullptr};
}
inline Variant maxas_256() {
  return {"maxas_256", 128, Epilogue::staged, kernels_under_test().maxas_256, nullptr};
}
inline Variant unsynchronised() {
  return {"maxas_64_unsynchronised", 64, Epilogue::staged,
          kernels_under_test().maxas_64_unsynchronised, nullptr};
}
inline Variant direct_64() {
  return {"maxas_64_direct", 64, Epilogue::direct, nullptr, kernels_under_test().maxas_64_direct};
}
inline Variant direct_256() {
  return {"maxas_256_direct", 128, Epilogue::direct, nullptr,
          kernels_under_test().maxas_256_direct};
}
inline Variant wide_256() {
  return {"maxas_256_wide", 128, Epilogue::wide, nullptr, kernels_under_test().maxas_256_wide};
}

/// How the matrices lie in memory: floats between a matrix's end of one column and the next one's
/// start, floats before C, and what is left free in shared memory.
struct Layout {
  int gap = 0;
  int offset = 0;
  int pad = 16;
};

struct Outcome {
  std::vector<float> c;  ///< row-major
  bool gaps_intact = true;
  std::optional<course::Counters> counted;
};

using course::divide_up;

inline void launch(const Variant& v, SgemmSize s, float alpha, const float* a, std::size_t lda,
                   const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc,
                   int pad) {
  if (s.m == 0 || s.n == 0) return;
  const dim3 grid(divide_up(s.m, v.tile), divide_up(s.n, v.tile));
  if (v.staged != nullptr)
    v.staged<<<grid, v.threads()>>>(s.m, s.n, s.k, alpha, a, lda, b, ldb, beta, c, ldc, pad);
  else
    v.direct<<<grid, v.threads()>>>(s.m, s.n, s.k, alpha, a, lda, b, ldb, beta, c, ldc);
  course::check_launch();
}

inline constexpr float kInGap = -7777.0f;

/// A row-major matrix as column-major, with gaps.
inline std::vector<float> with_gaps(const std::vector<float>& values, int rows, int columns,
                                    const Layout& layout) {
  std::vector<float> result(layout.offset + std::size_t(rows + layout.gap) * columns, kInGap);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < columns; ++col)
      result[layout.offset + std::size_t(rows + layout.gap) * col + row] =
          values[std::size_t(columns) * row + col];
  return result;
}

/// Runs a variant on column-major copies of the problem's matrices.
inline Outcome run(const Variant& variant, const course::SgemmProblem& problem,
                   const Layout& layout = {}) {
  const SgemmSize s = problem.size;
  const Layout dense = {.gap = layout.gap, .offset = 0};
  const course::DeviceBuffer<float> a(with_gaps(problem.a, s.m, s.k, dense), "A"),
      b(with_gaps(problem.b, s.k, s.n, dense), "B");
  course::DeviceBuffer<float> c(with_gaps(problem.c, s.m, s.n, layout), "C");
  const std::size_t ldc = s.m + layout.gap;
  Outcome outcome;
  outcome.counted = course::count([&] {
    launch(variant, s, problem.alpha, a.data(), s.m + layout.gap, b.data(), s.k + layout.gap,
           problem.beta, c.data() + layout.offset, ldc, layout.pad);
  });
  const std::vector<float> after = c.to_host();
  outcome.c.resize(std::size_t(s.m) * s.n);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::size_t inside = i - layout.offset;
    if (i < std::size_t(layout.offset) || inside % ldc >= std::size_t(s.m))
      outcome.gaps_intact = outcome.gaps_intact && after[i] == kInGap;
    else
      outcome.c[inside % ldc * s.n + inside / ldc] = after[i];
  }
  return outcome;
}

}  // namespace maxas_test
