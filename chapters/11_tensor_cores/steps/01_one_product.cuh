#pragma once

#include "../../09_sgemm/steps/problem.cuh"
#include "mma.cuh"

namespace one_product {

constexpr int kTileM = 128, kTileN = 128, kTileK = 32, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32;                    // of the tile, for one of 2 x 4 warps
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 8;            // of one instruction
constexpr int kPitchA = kTileK + 4, kPitchB = kTileN + 8;  // so that no two lanes share a bank

/// C = alpha A B + beta C on tensor cores: the floats as they are, of which they read 19 bits.
/// @expect  tensor_instructions = m * n * k / (16 * 8 * 8)
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 128) / 128
/// @expect  shared_load_requests = (16 + 8) * m * n * k / (64 * 32 * 8)
/// @expect  shared_load_wavefronts = (16 + 8) * m * n * k / (64 * 32 * 8)
/// @pre     kThreads threads, a block for every tile
static __global__ void __launch_bounds__(kThreads)
    sgemm(int m, int n, int k, float alpha,      //
          const float* __restrict__ A, int lda,  // [m, k]
          const float* __restrict__ B, int ldb,  // [k, n]
          float beta,                            //
          float* __restrict__ C, int ldc) {      // [m, n]
  __shared__ __align__(16) float tile_a[kTileM][kPitchA];
  __shared__ __align__(16) float tile_b[kTileK][kPitchB];
  const int tile_row = blockIdx.y * kTileM, tile_col = blockIdx.x * kTileN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp % 2 * kWarpM, warp_col = warp / 2 * kWarpN;
  const int r = lane / 4, c = lane % 4;
  const bool is_whole = is_inside(m, n, tile_row, tile_col, kTileM, kTileN) && is_aligned(A, lda) &&
                        is_aligned(B, ldb);

  float sum[kWarpM / kMmaM][kWarpN / kMmaN][4] = {};
  for_tiles<kTileK>(is_whole, k, [&](auto access, int k0) {
#pragma unroll
    for (int i = threadIdx.x; i < kTileM * kTileK / kVector; i += kThreads) {
      const int row = i / (kTileK / kVector), col = i % (kTileK / kVector) * kVector;
      as_float4(tile_a[row][col]) = access.load4(A, m, k, lda, tile_row + row, k0 + col);
    }
#pragma unroll
    for (int i = threadIdx.x; i < kTileK * kTileN / kVector; i += kThreads) {
      const int row = i / (kTileN / kVector), col = i % (kTileN / kVector) * kVector;
      as_float4(tile_b[row][col]) = access.load4(B, k, n, ldb, k0 + row, tile_col + col);
    }
    __syncthreads();

#pragma unroll
    for (int p = 0; p < kTileK; p += kMmaK) {
      float b[kWarpN / kMmaN][2];
#pragma unroll
      for (int j = 0; j < kWarpN / kMmaN; ++j) {
        const int col = warp_col + j * kMmaN + r;
        b[j][0] = tile_b[p + c][col];
        b[j][1] = tile_b[p + c + 4][col];
      }
#pragma unroll
      for (int i = 0; i < kWarpM / kMmaM; ++i) {
        const int row = warp_row + i * kMmaM + r;
        const float a[] = {tile_a[row][p + c], tile_a[row + 8][p + c], tile_a[row][p + c + 4],
                           tile_a[row + 8][p + c + 4]};
#pragma unroll
        for (int j = 0; j < kWarpN / kMmaN; ++j) tensor::mma_tf32(sum[i][j], a, b[j]);
      }
    }
    __syncthreads();
  });

#pragma unroll
  for (int i = 0; i < kWarpM / kMmaM; ++i)
#pragma unroll
    for (int j = 0; j < kWarpN / kMmaN; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        store(C, m, n, ldc, tile_row + warp_row + i * kMmaM + r + e / 2 * 8,
              tile_col + warp_col + j * kMmaN + 2 * c + e % 2, alpha, sum[i][j][e], beta);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace one_product
