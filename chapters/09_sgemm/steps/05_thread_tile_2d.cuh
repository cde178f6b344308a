#pragma once

#include "problem.cuh"

namespace thread_tile_2d {

constexpr int kTileM = 64, kTileN = 128, kTileK = 32;
constexpr int kThreadM = 8, kThreadN = 8;
constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
constexpr int kBlocks = 4;  // on a multiprocessor, of 128 registers a thread

/// 8 x 8 elements of C a thread: 16 loads from shared memory feed 64 multiply-adds. As many threads
/// as before have a tile that is eight times as large.
///
/// Two rows of threads are in a warp, and their elements of A lie in one bank; its 16 columns of
/// threads read every eighth element of B, which are four to a bank.
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 64) / 32
/// @expect  global_load_sectors = 4 * (m * k * n / 128 + k * n * m / 64) / 32
/// @expect  global_store_requests = m * n / 32
/// @expect  global_store_sectors = 32 * m * n / 32
/// @expect  shared_load_requests = (8 + 8) * m * n * k / 32 / 64
/// @expect  shared_load_wavefronts = (8 * 2 + 8 * 4) * m * n * k / 32 / 64
/// @pre     kThreads threads; the grid covers n in x, m in y
__global__ void __launch_bounds__(kThreads, kBlocks)
    sgemm(int m, int n, int k, float alpha,      //
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
  const int row = threadIdx.x / (kTileN / kThreadN) * kThreadM;
  const int col = threadIdx.x % (kTileN / kThreadN) * kThreadN;

  float sum[kThreadM][kThreadN] = {};
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
      float a[kThreadM], b[kThreadN];
      for (int i = 0; i < kThreadM; ++i) a[i] = a_tile[row + i][p];
      for (int j = 0; j < kThreadN; ++j) b[j] = b_tile[p][col + j];
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  });
  reach(is_whole, [&](auto access) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < kThreadN; ++j)
        access.store(C, m, n, ldc, row0 + row + i, col0 + col + j, alpha, sum[i][j], beta);
  });
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace thread_tile_2d
