#pragma once

#include "problem.cuh"

namespace coalesced {

constexpr int kTileM = 32, kTileN = 32;
constexpr int kThreads = kTileM * kTileN;

/// One element of C a thread: a warp walks along a row of C.
///
/// Its lanes read the same element of A, and consecutive ones of B.
/// @expect  global_load_requests = 2 * m * n * k / 32
/// @expect  global_load_sectors = (1 + 4) * m * n * k / 32
/// @expect  global_store_sectors = 4 * m * n / 32
/// @pre     kThreads threads; the grid covers n in x, m in y
__global__ void __launch_bounds__(kThreads) sgemm(int m, int n, int k, float alpha,      //
                                                  const float* __restrict__ A, int lda,  // [m, k]
                                                  const float* __restrict__ B, int ldb,  // [k, n]
                                                  float beta,                            //
                                                  float* __restrict__ C, int ldc) {      // [m, n]
  const int row = blockIdx.y * kTileM + threadIdx.x / kTileN;
  const int col = blockIdx.x * kTileN + threadIdx.x % kTileN;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += element(A, lda, row, p) * element(B, ldb, p, col);
  store(C, m, n, ldc, row, col, alpha, sum, beta);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace coalesced
