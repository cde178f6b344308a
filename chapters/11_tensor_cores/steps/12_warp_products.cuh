#pragma once

#include "gemm.cuh"
#include "mma.cuh"

namespace warp_products {

using namespace bf16;

constexpr int kTileM = 128, kTileN = 128, kTileK = 32, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32;           // of the tile, for one of 2 x 4 warps
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 16;  // of one instruction
constexpr int kChunk = 8;                         // numbers of one 16-byte access
// Rows of A begin 20 banks apart, those of B four: the eight rows of a small matrix fill all 32.
constexpr int kPitchA = kTileK + kChunk, kPitchB = kTileN + kChunk;

using Sums = float[kWarpM / kMmaM][kWarpN / kMmaN][4];

/// Where the results of this thread's warp begin in C.
__device__ inline Corner corner_of_warp() {
  const int warp = threadIdx.x / kWarpSize;
  return {int(blockIdx.y) * kTileM + warp % 2 * kWarpM,
          int(blockIdx.x) * kTileN + warp / 2 * kWarpN};
}

/// The main loop: each warp has its tensor core multiply small matrices out of its registers.
__device__ inline void multiply(const Gemm& g, Sums& sum) {
  __shared__ __align__(16) Number tile_a[kTileM][kPitchA];
  __shared__ __align__(16) Number tile_b[kTileK][kPitchB];
  const int tile_row = blockIdx.y * kTileM, tile_col = blockIdx.x * kTileN;
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const int warp_row = warp % 2 * kWarpM, warp_col = warp / 2 * kWarpN;
  const auto chunk_of = [](const Number* M, int rows, int cols, int row, int col) {
    return row < rows && col < cols ? *reinterpret_cast<const uint4*>(&element(M, cols, row, col))
                                    : uint4{};
  };

  for (int k0 = 0; k0 < g.k; k0 += kTileK) {
#pragma unroll
    for (int pass = 0; pass < kTileM * kTileK / kChunk / kThreads; ++pass) {
      const int i = pass * kThreads + threadIdx.x;
      const int row = i / (kTileK / kChunk), col = i % (kTileK / kChunk) * kChunk;
      *reinterpret_cast<uint4*>(&tile_a[row][col]) =
          chunk_of(g.A, g.m, g.k, tile_row + row, k0 + col);
    }
#pragma unroll
    for (int pass = 0; pass < kTileK * kTileN / kChunk / kThreads; ++pass) {
      const int i = pass * kThreads + threadIdx.x;
      const int row = i / (kTileN / kChunk), col = i % (kTileN / kChunk) * kChunk;
      *reinterpret_cast<uint4*>(&tile_b[row][col]) =
          chunk_of(g.B, g.k, g.n, k0 + row, tile_col + col);
    }
    __syncthreads();

#pragma unroll
    for (int p = 0; p < kTileK; p += kMmaK) {
      // A lane brings the address of one row of a small matrix, 8 by 8, and gets its share of four.
      const int r = lane % 16, c = lane / 16 * kChunk;
      std::uint32_t b[kWarpN / kMmaN][2];
#pragma unroll
      for (int j = 0; j < kWarpN / kMmaN; j += 2)
        load_turned_matrices(b[j], &tile_b[p + r][warp_col + j * kMmaN + c]);
#pragma unroll
      for (int i = 0; i < kWarpM / kMmaM; ++i) {
        std::uint32_t a[4];
        tensor::load_matrices(a, &tile_a[warp_row + i * kMmaM + r][p + c]);
#pragma unroll
        for (int j = 0; j < kWarpN / kMmaN; ++j) mma(sum[i][j], a, b[j]);
      }
    }
    __syncthreads();
  }
}

/// C = A B: every lane stores its results straight from its registers, two neighbours at a time.
/// @expect  tensor_instructions = m * n * k / (16 * 8 * 16)
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 128) / 256
/// @expect  shared_load_wavefronts = 4 * (4 + 2) * m * n * k / (64 * 32 * 16)
/// @pre     kThreads threads, a block for every tile
static __global__ void __launch_bounds__(kThreads) gemm(const Gemm g) {
  Sums sum = {};
  multiply(g, sum);

  const Corner corner = corner_of_warp();
  const int lane = threadIdx.x % kWarpSize;
  const int row = corner.row + lane / 4, col = corner.col + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < kWarpM / kMmaM; ++i)
#pragma unroll
    for (int j = 0; j < kWarpN / kMmaN; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e)
        store_pair(g, row + i * kMmaM + e * 8, col + j * kMmaN, sum[i][j][2 * e],
                   sum[i][j][2 * e + 1]);
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  const dim3 grid(course::divide_up(g.n, kTileN), course::divide_up(g.m, kTileM));
  gemm<<<grid, kThreads, 0, stream>>>(g);
  course::check_launch();
}

}  // namespace warp_products
