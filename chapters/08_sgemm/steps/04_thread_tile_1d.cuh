#pragma once

#include "problem.cuh"

namespace thread_tile_1d {

constexpr int kTileM = 64, kTileN = 64, kTileK = 8;
constexpr int kThreadM = 8;
constexpr int kThreads = kTileM / kThreadM * kTileN;

/// Eight elements of a column of C a thread: each element of B that it reads serves eight times.
///
/// @expect  global_load_requests = (m * k * n / 64 + k * n * m / 64) / 32
/// @expect  global_load_sectors = 4 * (m * k * n / 64 + k * n * m / 64) / 32
/// @expect  shared_load_requests = (8 + 1) * m * n * k / 32 / 8
/// @expect  shared_load_wavefronts = (8 + 1) * m * n * k / 32 / 8
/// @pre     kThreads threads; the grid covers n in x, m in y
__global__ void __launch_bounds__(kThreads) sgemm(int m, int n, int k, float alpha,  //
                                                  const float* A, int lda,           // [m, k]
                                                  const float* B, int ldb,           // [k, n]
                                                  float beta,                        //
                                                  float* C, int ldc) {               // [m, n]
  __shared__ float a_tile[kTileM][kTileK];
  __shared__ float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const int row = threadIdx.x / kTileN * kThreadM;
  const int col = threadIdx.x % kTileN;

  float sum[kThreadM] = {};
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads)
      a_tile[i / kTileK][i % kTileK] =
          load_or_zero(A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
    for (int i = threadIdx.x; i < kTileK * kTileN; i += kThreads)
      b_tile[i / kTileN][i % kTileN] =
          load_or_zero(B, k, n, ldb, k0 + i / kTileN, col0 + i % kTileN);
    __syncthreads();

    for (int p = 0; p < kTileK; ++p) {
      const float b = b_tile[p][col];
      for (int i = 0; i < kThreadM; ++i) sum[i] += a_tile[row + i][p] * b;
    }
    __syncthreads();
  }
  for (int i = 0; i < kThreadM; ++i)
    store(C, m, n, ldc, row0 + row + i, col0 + col, alpha, sum[i], beta);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace thread_tile_1d
