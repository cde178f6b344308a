#pragma once

#include <cstdint>

#include "mma.cuh"
#include "warpgroup.cuh"

namespace three_products {

using warpgroup::Product;

constexpr int kTileM = 128, kTileN = 128, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32;          // of the tile, for one of 2 x 4 warps
constexpr int kMmaM = 16, kMmaN = 8;             // of one instruction, whose k is half a span
constexpr int kChunks = split::kSpanBytes / 16;  // of 16 bytes, in a span
constexpr int kLow = kChunks / 2;                // where its low parts begin
using Chunk = uint4;

/// Where a chunk of a row lies: the eight rows that ldmatrix reads at once share no bank.
__device__ inline int place(int row, int chunk) { return row * kChunks + (chunk ^ row % kChunks); }

/// The same with two halves an element: high x high, and the two products of high and low.
/// @expect  tensor_instructions = 3 * m * n * k / (16 * 8 * 16)
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  shared_load_wavefronts = 4 * (8 + 4) * m * n * k / (64 * 32 * 16)
/// @pre     kThreads threads, a block for every tile
static __global__ void __launch_bounds__(kThreads)
    sgemm(const Product product,
          const Chunk* __restrict__ A,    // [m, spans, kChunks]
          const Chunk* __restrict__ B) {  // [n, spans, kChunks]
  __shared__ Chunk tile_a[kTileM * kChunks], tile_b[kTileN * kChunks];
  const int tile_row = blockIdx.y * kTileM, tile_col = blockIdx.x * kTileN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp % 2 * kWarpM, warp_col = warp / 2 * kWarpN;
  const int spans = split::spans<split::Halves>(product.k);

  float sum[kWarpM / kMmaM][kWarpN / kMmaN][4] = {};
  for (int span = 0; span < spans; ++span) {
    const auto load = [&](Chunk* tile, const Chunk* from, int row0, int rows, int tall) {
#pragma unroll
      for (int i = threadIdx.x; i < tall * kChunks; i += kThreads) {
        const int row = i / kChunks, chunk = i % kChunks;
        const int inside = min(row0 + row, rows - 1);  // what is read twice is not stored
        tile[place(row, chunk)] = from[(1LL * inside * spans + span) * kChunks + chunk];
      }
    };
    load(tile_a, A, tile_row, product.m, kTileM);
    load(tile_b, B, tile_col, product.n, kTileN);
    __syncthreads();

#pragma unroll
    for (int p = 0; p < kLow; p += 2) {
      std::uint32_t b[2][kWarpN / kMmaN / 2][4];  // [high, low], two of n's eights each
#pragma unroll
      for (int j = 0; j < kWarpN / kMmaN / 2; ++j) {
        const int col = warp_col + j * 2 * kMmaN + lane % 8 + lane / 16 * 8;
        const int chunk = p + lane / 8 % 2;
        tensor::load_matrices(b[0][j], &tile_b[place(col, chunk)]);
        tensor::load_matrices(b[1][j], &tile_b[place(col, chunk + kLow)]);
      }
#pragma unroll
      for (int i = 0; i < kWarpM / kMmaM; ++i) {
        std::uint32_t a[2][4];  // [high, low]
        const int row = warp_row + i * kMmaM + lane % 16, chunk = p + lane / 16;
        tensor::load_matrices(a[0], &tile_a[place(row, chunk)]);
        tensor::load_matrices(a[1], &tile_a[place(row, chunk + kLow)]);
#pragma unroll
        for (int j = 0; j < kWarpN / kMmaN; ++j) {
          tensor::mma_f16(sum[i][j], a[1], &b[0][j / 2][j % 2 * 2]);
          tensor::mma_f16(sum[i][j], a[0], &b[1][j / 2][j % 2 * 2]);
          tensor::mma_f16(sum[i][j], a[0], &b[0][j / 2][j % 2 * 2]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kWarpM / kMmaM; ++i)
#pragma unroll
    for (int j = 0; j < kWarpN / kMmaN; ++j) {
      const int row = tile_row + warp_row + i * kMmaM + lane / 4;
      const int col = tile_col + warp_col + j * kMmaN + lane % 4 * 2;
      warpgroup::store_pair(product, row, col, sum[i][j][0], sum[i][j][1]);
      warpgroup::store_pair(product, row + 8, col, sum[i][j][2], sum[i][j][3]);
    }
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const split::Parts parts = split::parts_of(s);
  split::launch(s, parts, stream);
  const dim3 grid(course::divide_up(s.n, kTileN), course::divide_up(s.m, kTileM));
  sgemm<<<grid, kThreads, 0, stream>>>(warpgroup::product_of(s, parts),
                                       reinterpret_cast<const Chunk*>(parts.a),
                                       reinterpret_cast<const Chunk*>(parts.b));
}

}  // namespace three_products
