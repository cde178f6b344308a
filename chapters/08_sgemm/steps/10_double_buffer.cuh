#pragma once

#include <cuda_pipeline.h>

#include "problem.cuh"

namespace double_buffer {

constexpr int kVector = 4;  // floats of one 16-byte access
constexpr int kPad = kVector;

/// What --tune searches.
template <int kTileM_, int kTileN_, int kTileK_, int kThreadM_, int kThreadN_, int kLaneRows_>
struct Shape {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kTileK = kTileK_;
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kLaneRows = kLaneRows_, kLaneCols = 32 / kLaneRows;
  static constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
};

using Tuned = Shape<128, 128, 16, 8, 8, 8>;

/// Copies element (row, col), or 0 outside the matrix, to shared memory, past the registers; it has
/// arrived when the thread's pipeline says so.
__device__ inline void copy_or_zero(float* to, const float* M, int rows, int cols, int ld, int row,
                                    int col) {
  if (row < rows && col < cols)
    __pipeline_memcpy_async(to, &element(M, ld, row, col), sizeof(float));
  else
    *to = 0.0f;
}

/// Elements (row, col) to (row, col + 3): 16 bytes at once where that is possible.
__device__ inline void copy4_or_zero(float* to, const float* M, int rows, int cols, int ld, int row,
                                     int col) {
  if (is_float4(M, rows, cols, ld, row, col))
    __pipeline_memcpy_async(to, &element(M, ld, row, col), sizeof(float4));
  else
    for (int j = 0; j < kVector; ++j) copy_or_zero(to + j, M, rows, cols, ld, row, col + j);
}

/// Copies one tile of A, turned, and one of B to shared memory, without waiting for them.
template <typename S>
__device__ void copy_tiles(int m, int n, int k, const float* A, int lda, const float* B, int ldb,
                           int row0, int col0, int k0, float (*a_tile)[S::kTileM + kPad],
                           float (*b_tile)[S::kTileN]) {
  constexpr int kTileM = S::kTileM, kTileN = S::kTileN, kTileK = S::kTileK, kThreads = S::kThreads;
  for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads)
    copy_or_zero(&a_tile[i % kTileK][i / kTileK], A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
  for (int i = threadIdx.x * kVector; i < kTileK * kTileN; i += kThreads * kVector)
    copy4_or_zero(&b_tile[i / kTileN][i % kTileN], B, k, n, ldb, k0 + i / kTileN,
                  col0 + i % kTileN);
  __pipeline_commit();
}

/// The same with two pairs of tiles: while one is multiplied, the next is copied past the
/// registers, and one barrier per tile is enough.
///
/// Such a copy cannot turn four floats at once: A is copied one by one.
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 128 / 4) / 32
/// @expect  global_load_sectors = (4 * m * k * n / 128 + 16 * k * n * m / 128 / 4) / 32
/// @expect  shared_load_requests = (2 + 2) * m * n * k / 32 / 64
/// @expect  shared_load_wavefronts = (2 * 2 + 2 * 4) * m * n * k / 32 / 64
/// @pre     S::kThreads threads; the grid covers n in x, m in y
template <typename S>
__global__ void __launch_bounds__(S::kThreads) sgemm(int m, int n, int k, float alpha,  //
                                                     const float* A, int lda,           // [m, k]
                                                     const float* B, int ldb,           // [k, n]
                                                     float beta,                        //
                                                     float* C, int ldc) {               // [m, n]
  constexpr int kTileM = S::kTileM, kTileN = S::kTileN, kTileK = S::kTileK;
  constexpr int kThreadM = S::kThreadM, kThreadN = S::kThreadN;
  constexpr int kLaneRows = S::kLaneRows, kLaneCols = S::kLaneCols;
  constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  constexpr int kGroupN =
      kWarpN / (kThreadN / kVector);  // from one group of four columns to the next
  __shared__ __align__(sizeof(float4)) float a_tiles[2][kTileK][kTileM + kPad];
  __shared__ __align__(sizeof(float4)) float b_tiles[2][kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int row = warp / (kTileN / kWarpN) * kWarpM + lane / kLaneCols * kThreadM;
  const int col = warp % (kTileN / kWarpN) * kWarpN + lane % kLaneCols * kVector;

  float sum[kThreadM][kThreadN] = {};
  copy_tiles<S>(m, n, k, A, lda, B, ldb, row0, col0, 0, a_tiles[0], b_tiles[0]);
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    const int now = k0 / kTileK % 2;
    const auto a_tile = a_tiles[now];
    const auto b_tile = b_tiles[now];
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k0 + kTileK < k)
      copy_tiles<S>(m, n, k, A, lda, B, ldb, row0, col0, k0 + kTileK, a_tiles[1 - now],
                    b_tiles[1 - now]);

    for (int p = 0; p < kTileK; ++p) {
      __align__(sizeof(float4)) float a[kThreadM], b[kThreadN];
      for (int i = 0; i < kThreadM; i += kVector) as_float4(a[i]) = as_float4(a_tile[p][row + i]);
      for (int j = 0; j < kThreadN; j += kVector)
        as_float4(b[j]) = as_float4(b_tile[p][col + j / kVector * kGroupN]);
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  for (int i = 0; i < kThreadM; ++i)
    for (int j = 0; j < kThreadN; ++j)
      store(C, m, n, ldc, row0 + row + i, col0 + col + j / kVector * kGroupN + j % kVector, alpha,
            sum[i][j], beta);
}

template <typename S>
void launch_shape(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm<S>, S::kTileM, S::kTileN, S::kThreads, s, stream);
}

inline void launch(const Sgemm& s, cudaStream_t stream) { launch_shape<Tuned>(s, stream); }

}  // namespace double_buffer
