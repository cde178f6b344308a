#pragma once

/// @file
/// Products of a matrix and a vector: C is one row (m = 1) or one column (n = 1).
///
/// The idea: each element of the matrix is used once, so there is nothing to keep in shared memory.
/// What counts is that all multiprocessors load all the time, in whole sectors and with many loads
/// under way: the matrix is cut into parts until there are enough blocks. Parts leave their sums in
/// the workspace, and whoever arrives last adds them up in the order of the parts.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "any_shape_pieces.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"

namespace any_shape {

namespace vectors {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / pipeline::kWarpSize;
constexpr int kAtOnce = 8;                                 // loads of a thread under way together
constexpr int kBlocks = 4;                                 // that share a multiprocessor
constexpr int kStripCols = pipeline::kWarpSize * kVector;  // of a block, where C is a row

/// Which part of a long sum a block has.
struct Part {
  int begin, end;
  __device__ Part(int length, int part, int parts)
      : begin(static_cast<int>(1LL * length * part / parts)),
        end(static_cast<int>(1LL * length * (part + 1) / parts)) {}
};

/// Adds rows begin + warp, + kWarps, ... of M, each times factor(row), to this lane's four columns:
/// neighbours where kWidth is 4, else 32 apart.
template <int kWidth, typename Factor>
__device__ inline void add_rows(float (&sum)[kVector], const float* M, long long ld, int cols,
                                int col0, int begin, int end, const Factor& factor) {
  constexpr int kAccesses = kVector / kWidth, kRows = kAtOnce / kAccesses;
  const int lane = threadIdx.x % pipeline::kWarpSize, warp = threadIdx.x / pipeline::kWarpSize;
  const int col = col0 + lane * kWidth;
  const auto add = [&](int row, int count) {
    Floats<kWidth> loaded[kRows][kAccesses] = {};
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int a = 0; a < kAccesses; ++a) {
        const int at = col + a * pipeline::kWarpSize * kWidth;
        if (r < count && at < cols)
          loaded[r][a] = *reinterpret_cast<const Floats<kWidth>*>(M + (row + r * kWarps) * ld + at);
      }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float times = r < count ? factor(row + r * kWarps) : 0.0f;
#pragma unroll
      for (int i = 0; i < kVector; ++i) sum[i] += times * loaded[r][i / kWidth].values[i % kWidth];
    }
  };
  int row = begin + warp;
  for (; row + (kRows - 1) * kWarps < end; row += kRows * kWarps) add(row, kRows);
  if (row < end) add(row, (end - row + kWarps - 1) / kWarps);
}

/// Adds up what the warps have of each column; the first kStripCols threads get one column each.
template <int kWidth>
__device__ inline float add_warps(const float (&sum)[kVector]) {
  __shared__ float of_warps[kWarps][kStripCols];
  const int lane = threadIdx.x % pipeline::kWarpSize, warp = threadIdx.x / pipeline::kWarpSize;
#pragma unroll
  for (int i = 0; i < kVector; ++i)
    of_warps[warp][lane * kWidth + i / kWidth * pipeline::kWarpSize * kWidth + i % kWidth] = sum[i];
  __syncthreads();
  float total = 0.0f;
  if (threadIdx.x < kStripCols)
    for (int w = 0; w < kWarps; ++w) total += of_warps[w][threadIdx.x];
  __syncthreads();
  return total;
}

/// C = alpha a B + beta C for a row a: a block has a strip of columns and a part of the rows of B.
template <int kWidth>
__global__ void __launch_bounds__(kThreads, kBlocks)
    row_times_matrix(int n, int k, float alpha,         //
                     const float* a,                    // [k]
                     const float* B, int ldb,           // [k, n]
                     float beta,                        //
                     float* C,                          // [n]
                     int parts, const Pieces pieces) {  // sums: [strip, part, kStripCols]
  const int strip = blockIdx.x / parts, col0 = strip * kStripCols;
  const Part part(k, blockIdx.x % parts, parts);
  float sum[kVector] = {};
  add_rows<kWidth>(sum, B, ldb, n, col0, part.begin, part.end, [&](int row) { return a[row]; });
  float total = add_warps<kWidth>(sum);
  if (parts > 1) {
    float* const of_strip = pieces.sums + 1LL * strip * parts * kStripCols;
    if (threadIdx.x < kStripCols)
      __stcg(of_strip + blockIdx.x % parts * kStripCols + threadIdx.x, total);
    if (!arrives_last(pieces.arrived + strip, parts)) return;
    float of_parts[kVector] = {};
    add_rows<kVector>(of_parts, of_strip, kStripCols, kStripCols, 0, 0, parts,
                      [](int) { return 1.0f; });
    total = add_warps<kVector>(of_parts);
  }
  const int col = col0 + threadIdx.x;
  if (threadIdx.x < kStripCols) store(C, 1, n, n, 0, col, alpha, total, beta);
}

/// The sum over groups of `lanes` neighbouring lanes; the first of each gets it.
__device__ inline float add_lanes(float sum, int lanes) {
  for (int apart = lanes / 2; apart > 0; apart /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, apart);
  return sum;
}

/// Elements of b, of which neighbours are ldb apart; `is_dense`: 1, and on 16 bytes.
template <int kWidth>
__device__ inline Floats<kWidth> load_b(const float* b, long long ldb, int p, bool is_dense) {
  if (is_dense) return *reinterpret_cast<const Floats<kWidth>*>(b + p);
  Floats<kWidth> loaded;
#pragma unroll
  for (int i = 0; i < kWidth; ++i) loaded.values[i] = b[(p + i) * ldb];
  return loaded;
}

/// C = alpha A b + beta C for a column b: `lanes` lanes have a row of A, a block a part of k.
template <int kWidth>
__global__ void __launch_bounds__(kThreads, kBlocks)
    matrix_times_column(int m, int k, float alpha,                    //
                        const float* A, int lda,                      // [m, k]
                        const float* b, int ldb,                      // [k], elements ldb apart
                        float beta,                                   //
                        float* C, int ldc,                            // [m], elements ldc apart
                        int lanes, int parts, const Pieces pieces) {  // sums: [group, part, row]
  const int rows = kThreads / lanes, group = blockIdx.x / parts;
  const int of_group = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int row = group * rows + of_group;
  const bool is_dense = ldb == 1 && reinterpret_cast<std::uintptr_t>(b) % sizeof(float4) == 0;
  const Part quads((k + kWidth - 1) / kWidth, blockIdx.x % parts, parts);
  float sum = 0.0f;
  if (row < m) {
    const float* const a = A + 1LL * row * lda;
    constexpr int kLoads = kWidth == 1 ? 2 * kAtOnce : kAtOnce;
    int quad = quads.begin + lane;
    const auto load = [&](int q) {
      return *reinterpret_cast<const Floats<kWidth>*>(a + q * kWidth);
    };
    const auto add = [&](const Floats<kWidth>& four, int q) {
      const Floats<kWidth> by = load_b<kWidth>(b, ldb, q * kWidth, is_dense);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) sum += four.values[i] * by.values[i];
    };
    for (;
         quad + (kLoads - 1) * lanes < quads.end && (quad + (kLoads - 1) * lanes + 1) * kWidth <= k;
         quad += kLoads * lanes) {
      Floats<kWidth> loaded[kLoads];
#pragma unroll
      for (int i = 0; i < kLoads; ++i) loaded[i] = load(quad + i * lanes);
#pragma unroll
      for (int i = 0; i < kLoads; ++i) add(loaded[i], quad + i * lanes);
    }
    for (; quad < quads.end; quad += lanes) {
      if ((quad + 1) * kWidth <= k)
        add(load(quad), quad);
      else
        for (int p = quad * kWidth; p < k; ++p) sum += a[p] * b[1LL * p * ldb];
    }
  }
  float total = add_lanes(sum, lanes);
  if (parts > 1) {
    float* const of_rows = pieces.sums + 1LL * group * parts * rows;
    if (lane == 0) __stcg(of_rows + blockIdx.x % parts * rows + of_group, total);
    if (!arrives_last(pieces.arrived + group, parts)) return;
    sum = 0.0f;
    for (int part = lane; part < parts; part += lanes)
      sum += __ldcg(of_rows + part * rows + of_group);
    total = add_lanes(sum, lanes);
  }
  if (lane == 0) store(C, m, 1, ldc, row, 0, alpha, total, beta);
}

/// The matrix of a product, cut into groups of rows or strips of columns, and into parts.
struct Cut {
  int groups, parts, piece_floats;
  std::size_t workspace_floats() const {
    return parts == 1 ? 0 : std::size_t(groups) * (std::size_t(parts) * piece_floats + 1);
  }
  Pieces pieces(float* workspace) const {
    float* const arrived = workspace + std::size_t(groups) * parts * piece_floats;
    return {workspace, reinterpret_cast<unsigned*>(arrived)};
  }
};

/// As many parts as fill the multiprocessors, each of at least `least` of `length`.
inline int parts_of(const Sgemm& s, int groups, int length, int least) {
  const int slots = s.multiprocessors * kBlocks;
  return std::clamp(slots / groups, 1, std::max(1, length / least));
}

inline Cut strips_of(const Sgemm& s) {
  const int strips = course::divide_up(s.n, kStripCols);
  return {strips, parts_of(s, strips, s.used_k(), kWarps * kAtOnce), kStripCols};
}

/// Lanes that share a row: fewer than a warp's where rows are short.
inline int lanes_of(const Sgemm& s) {
  int lanes = 1;
  while (lanes < pipeline::kWarpSize && lanes * kVector * 2 <= s.used_k()) lanes *= 2;
  return lanes;
}

inline Cut groups_of(const Sgemm& s) {
  const int rows = kThreads / lanes_of(s), groups = course::divide_up(s.m, rows);
  return {groups, parts_of(s, groups, s.used_k(), pipeline::kWarpSize * kVector * kAtOnce), rows};
}

inline bool is_aligned(const float* data, int ld) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0 && ld % kVector == 0;
}

}  // namespace vectors

/// Whether A or B is a vector.
inline bool has_vector(const Sgemm& s) { return s.m == 1 || s.n == 1; }

/// Floats of workspace, zero before the first launch.
inline std::size_t vector_workspace_floats(const Sgemm& s) {
  return (s.n == 1 ? vectors::groups_of(s) : vectors::strips_of(s)).workspace_floats();
}

/// @pre has_vector(s)
inline void launch_vector(const Sgemm& s, cudaStream_t stream) {
  using namespace vectors;
  if (s.n == 1) {
    const Cut cut = groups_of(s);
    const bool is_wide = vectors::is_aligned(s.A, s.m == 1 ? kVector : s.lda);
    auto* const kernel = is_wide ? matrix_times_column<kVector> : matrix_times_column<1>;
    kernel<<<cut.groups * cut.parts, kThreads, 0, stream>>>(
        s.m, s.used_k(), s.alpha, s.A, s.lda, s.B, s.ldb, s.beta, s.C, s.ldc, lanes_of(s),
        cut.parts, cut.pieces(s.workspace));
  } else {
    const Cut cut = strips_of(s);
    const bool is_wide = vectors::is_aligned(s.B, s.ldb) && s.n % kVector == 0;
    auto* const kernel = is_wide ? row_times_matrix<kVector> : row_times_matrix<1>;
    kernel<<<cut.groups * cut.parts, kThreads, 0, stream>>>(
        s.n, s.used_k(), s.alpha, s.A, s.B, s.ldb, s.beta, s.C, cut.parts, cut.pieces(s.workspace));
  }
  course::check_launch();
}

}  // namespace any_shape
