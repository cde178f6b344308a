#pragma once

/// @file
/// What all products in fp32 share: the main loop of maxas. A kernel is this loop and an epilogue.

#include <cuda_runtime.h>

#include <cstddef>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"

namespace maxas {

constexpr int kWarp = 32, kDepth = 8;
constexpr int kOwn = 8, kQuad = 4;           // a thread has 8 x 8 results, in quads of four
constexpr int kWarpRows = 8, kWarpCols = 4;  // of row groups and column groups that a warp has

/// The sizes that follow from a tile's edge: 64 or 128.
template <int kTile>
struct Tile {
  static constexpr int kHalf = kTile / 2;
  static constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  static constexpr int kStrips = kHalf / kWarpCols / kQuad;  // of columns, one for a warp
};

/// Where a thread works in its block's tile of C: its rows are 4 x row_group + 0..3, and the same
/// half a tile further down; its columns likewise.
struct Place {
  int tile_row, tile_col;  // where the tile begins in C
  int lane;
  int strip, side;  // of the warp: which 16 columns of each half, which 32 rows
  int row_group, col_group;
};

template <int kTile>
__device__ inline Place own_place() {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % Tile<kTile>::kStrips, side = warp / Tile<kTile>::kStrips;
  return {.tile_row = int(blockIdx.x) * kTile,
          .tile_col = int(blockIdx.y) * kTile,
          .lane = lane,
          .strip = strip,
          .side = side,
          .row_group = side * kWarpRows + lane / 2 % kWarpRows,
          .col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2};
}

/// The main loop: sums += A B for the thread's 8 x 8 results.
template <int kTile>
__device__ inline void multiply(const Product& p, const Place& at,
                                float (&sums)[kOwn][kOwn]) {  // [col][row]
  constexpr int kHalf = Tile<kTile>::kHalf;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];
  for (int first = 0; first < p.k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += Tile<kTile>::kThreads) {
      const int i = load + threadIdx.x;
      const int row = at.tile_row + i % kTile, p_of_a = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < p.m && p_of_a < p.k ? p.A[p_of_a * p.lda + row] : 0.0f;
      const int col = at.tile_col + i / kDepth, p_of_b = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < p.n && p_of_b < p.k ? p.B[col * p.ldb + p_of_b] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[step][kQuad * at.row_group]);
      const float4 a4 =
          *reinterpret_cast<const float4*>(&a_tile[step][kQuad * at.row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[step][kQuad * at.col_group]);
      const float4 b4 =
          *reinterpret_cast<const float4*>(&b_tile[step][kQuad * at.col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }
}

/// C = alpha sum + beta C for one element.
__device__ inline void update(const Product& p, float& c, float sum) {
  c = p.beta == 0.0f ? p.alpha * sum : p.alpha * sum + p.beta * c;
}

/// Launches a block for every tile of C, with the kernel for tiles of 64 x 64 or of 128 x 128.
inline void launch_tiles(void (*small)(Product), void (*large)(Product), const Product& p, int tile,
                         cudaStream_t stream) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 grid(course::divide_up(p.m, tile), course::divide_up(p.n, tile));
  if (tile == 64)
    small<<<grid, Tile<64>::kThreads, 0, stream>>>(p);
  else
    large<<<grid, Tile<128>::kThreads, 0, stream>>>(p);
  course::check_launch();
}

}  // namespace maxas
