#pragma once

#include "problem.cuh"

namespace thread_tile_1d {

constexpr int kTileM = 32, kTileN = 32, kTileK = 32;
constexpr int kThreadM = 8;
constexpr int kThreads = kTileM / kThreadM * kTileN;

/// Eight elements of a column of C a thread, of the same tile: each element of B that it reads
/// serves eight times, and an eighth of the threads is left.
///
/// @expect  global_load_requests = (m * k * n / 32 + k * n * m / 32) / 32
/// @expect  global_load_sectors = 4 * (m * k * n / 32 + k * n * m / 32) / 32
/// @expect  shared_load_requests = (8 + 1) * m * n * k / 32 / 8
/// @expect  shared_load_wavefronts = (8 + 1) * m * n * k / 32 / 8
/// @pre     kThreads threads; the grid covers n in x, m in y
__global__ void __launch_bounds__(kThreads) sgemm(int m, int n, int k, float alpha,      //
                                                  const float* __restrict__ A, int lda,  // [m, k]
                                                  const float* __restrict__ B, int ldb,  // [k, n]
                                                  float beta,                            //
                                                  float* __restrict__ C, int ldc) {      // [m, n]
  __shared__ float a_tile[kTileM][kTileK];
  __shared__ float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const bool is_whole = is_inside(m, n, row0, col0, kTileM, kTileN) && is_aligned(A, lda) &&
                        is_aligned(B, ldb) && is_aligned(C, ldc);
  const int row = threadIdx.x / kTileN * kThreadM;
  const int col = threadIdx.x % kTileN;

  float sum[kThreadM] = {};
  for_tiles<kTileK>(is_whole, k, [&](auto access, int k0) {
    for (int first = 0; first < kTileM * kTileK; first += kThreads) {
      const int i = first + threadIdx.x;
      a_tile[i / kTileK][i % kTileK] =
          access.load(A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
    }
    for (int first = 0; first < kTileK * kTileN; first += kThreads) {
      const int i = first + threadIdx.x;
      b_tile[i / kTileN][i % kTileN] =
          access.load(B, k, n, ldb, k0 + i / kTileN, col0 + i % kTileN);
    }
    __syncthreads();

#pragma unroll 8
    for (int p = 0; p < kTileK; ++p) {
      const float b = b_tile[p][col];
      for (int i = 0; i < kThreadM; ++i) sum[i] += a_tile[row + i][p] * b;
    }
    __syncthreads();
  });
  reach(is_whole, [&](auto access) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
      access.store(C, m, n, ldc, row0 + row + i, col0 + col, alpha, sum[i], beta);
  });
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace thread_tile_1d
