#pragma once

/// @file
/// Launches the chapter's kernels uniformly, and computes the tables of its README.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chapters/matrices.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/sgemm_check.hpp"
#include "kernels_under_test.hpp"

namespace maxas_test {

using course::SgemmSize;
using course_test::Layout;
using course_test::Outcome;
using course_test::transposed;

inline constexpr int kOwn = 8;   // results per thread in each direction
inline constexpr int kQuad = 4;  // adjacent ones among them

/// The table of threads: the position of a thread's results.
struct Thread {
  int strip, side;           // of the thread's warp
  int row_group, col_group;  // rows are 4 x row_group + 0..3, and the same half a tile further on
};

inline Thread thread_of(int thread, int tile) {
  const int lane = thread % course_test::kWarpSize, warp = thread / course_test::kWarpSize;
  const int strips = tile / 32;  // of 16 columns, up to half of a tile
  const int strip = warp % strips, side = warp / strips;
  return {strip, side, 8 * side + ((lane >> 1) & 7), 4 * strip + (((lane >> 3) & 2) | (lane & 1))};
}

/// Returns the position in the tile of result i, 0..7, of a row or column group.
inline int own_index(int group, int i, int tile) {
  return kQuad * group + i % kQuad + (i < kQuad ? 0 : tile / 2);
}

/// How a variant's epilogue accesses C.
enum class Epilogue { staged, direct, wide };

struct Variant {
  const char* name;
  int tile;
  Epilogue epilogue;
  ProductLaunch* launch;

  int threads() const { return tile * tile / (kOwn * kOwn); }
};

inline Variant maxas_64() {
  return {"maxas_64", 64, Epilogue::staged, kernels_under_test().staged};
}
inline Variant maxas_256() {
  return {"maxas_256", 128, Epilogue::staged, kernels_under_test().staged};
}
inline Variant unsynchronised() {
  return {"maxas_64_unsynchronised", 64, Epilogue::staged, kernels_under_test().unsynchronised};
}
inline Variant direct_64() {
  return {"maxas_64_direct", 64, Epilogue::direct, kernels_under_test().direct};
}
inline Variant direct_256() {
  return {"maxas_256_direct", 128, Epilogue::direct, kernels_under_test().direct};
}
inline Variant wide_64() {
  return {"maxas_64_wide", 64, Epilogue::wide, kernels_under_test().wide};
}
inline Variant wide_256() {
  return {"maxas_256_wide", 128, Epilogue::wide, kernels_under_test().wide};
}

inline constexpr int kPad = 16;  // unused floats between two columns in shared memory

/// Runs a variant on column-major copies of the problem's matrices with the gaps of `layout`, for C
/// also its offset. The returned result is row-major.
inline Outcome run(const Variant& variant, const course::SgemmProblem& problem,
                   const Layout& layout = {}, int pad = kPad) {
  const auto [m, n, k] = problem.size;
  const auto by_column = [](const std::vector<float>& values, int rows, int columns,
                            const Layout& where) {
    return course_test::laid_out(transposed(values, rows, columns), columns, rows, where);
  };
  const Layout dense = {.gap = layout.gap};
  Outcome outcome =
      course_test::multiply(by_column(problem.a, m, k, dense), by_column(problem.b, k, n, dense),
                            by_column(problem.c, m, n, layout),
                            [&, m = m, n = n, k = k, lda = m + layout.gap, ldb = k + layout.gap](
                                auto a, auto b, auto c) {
                              variant.launch({.m = m,
                                              .n = n,
                                              .k = k,
                                              .alpha = problem.alpha,
                                              .A = a,
                                              .lda = std::size_t(lda),
                                              .B = b,
                                              .ldb = std::size_t(ldb),
                                              .beta = problem.beta,
                                              .C = c + layout.offset,
                                              .ldc = std::size_t(lda),
                                              .pad = pad},
                                             variant.tile, nullptr);
                            })
          .dense(n, m, layout);
  outcome.c = transposed(outcome.c, n, m);
  return outcome;
}

}  // namespace maxas_test
