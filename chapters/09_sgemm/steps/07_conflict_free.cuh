#pragma once

#include "problem.cuh"

namespace conflict_free {

constexpr int kTileM = 64, kTileN = 128, kTileK = 32;
constexpr int kThreadM = 8, kThreadN = 8;
constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
constexpr int kBlocks = 4;  // on a multiprocessor, of 128 registers a thread

/// The same without bank conflicts: a thread's columns are two groups of four, half a tile apart,
/// and A's tile is padded after every fourth k.
///
/// Neighbouring lanes then read neighbouring 16 bytes of B; the lanes that turn a row of A store to
/// different banks.
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 64) / 32 / 4
/// @expect  global_store_sectors = 16 * m * n / 32 / 4
/// @expect  shared_load_requests = (2 + 2) * m * n * k / 32 / 64
/// @expect  shared_load_wavefronts = (2 * 2 + 2 * 4) * m * n * k / 32 / 64
/// @expect  shared_store_wavefronts = (m * k * n / 128 + k * n * m / 64) / 32
/// @pre     kThreads threads; the grid covers n in x, m in y
__global__ void __launch_bounds__(kThreads, kBlocks)
    sgemm(int m, int n, int k, float alpha,      //
          const float* __restrict__ A, int lda,  // [m, k]
          const float* __restrict__ B, int ldb,  // [k, n]
          float beta,                            //
          float* __restrict__ C, int ldc) {      // [m, n]
  // kPad moves each lane's store of A to other banks. kGroupN is the distance from one of a
  // thread's groups of four columns to the next.
  constexpr int kPad = kVector * 32 / kTileK;
  constexpr int kGroupN = kTileN / (kThreadN / kVector);
  __shared__ __align__(sizeof(float4)) float a_tile[kTileK / kVector][kVector * kTileM + kPad];
  __shared__ __align__(sizeof(float4)) float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const bool is_whole = is_inside(m, n, row0, col0, kTileM, kTileN) && is_aligned(A, lda) &&
                        is_aligned(B, ldb) && is_aligned(C, ldc);
  const int row = threadIdx.x / (kTileN / kThreadN) * kThreadM;
  const int col = threadIdx.x % (kTileN / kThreadN) * kVector;

  float sum[kThreadM][kThreadN] = {};
  for_tiles<kTileK>(is_whole, k, [&](auto access, int k0) {
    for (int first = 0; first < kTileM * kTileK; first += kThreads * kVector) {
      const int i = first + threadIdx.x * kVector;
      const float4 a = access.load4(A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
      a_tile[i % kTileK / kVector][i / kTileK] = a.x;
      a_tile[i % kTileK / kVector][kTileM + i / kTileK] = a.y;
      a_tile[i % kTileK / kVector][2 * kTileM + i / kTileK] = a.z;
      a_tile[i % kTileK / kVector][3 * kTileM + i / kTileK] = a.w;
    }
    for (int first = 0; first < kTileK * kTileN; first += kThreads * kVector) {
      const int i = first + threadIdx.x * kVector;
      as_float4(b_tile[i / kTileN][i % kTileN]) =
          access.load4(B, k, n, ldb, k0 + i / kTileN, col0 + i % kTileN);
    }
    __syncthreads();

#pragma unroll 8
    for (int p = 0; p < kTileK; ++p) {
      __align__(sizeof(float4)) float a[kThreadM], b[kThreadN];
      for (int i = 0; i < kThreadM; i += kVector)
        as_float4(a[i]) = as_float4(a_tile[p / kVector][p % kVector * kTileM + row + i]);
      for (int j = 0; j < kThreadN; j += kVector)
        as_float4(b[j]) = as_float4(b_tile[p][col + j / kVector * kGroupN]);
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  });
  reach(is_whole, [&](auto access) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < kThreadN; j += kVector)
        access.store4(C, m, n, ldc, row0 + row + i, col0 + col + j / kVector * kGroupN, alpha,
                      &sum[i][j], beta);
  });
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm, kTileM, kTileN, kThreads, s, stream);
}

}  // namespace conflict_free
