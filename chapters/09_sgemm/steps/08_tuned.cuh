#pragma once

#include "problem.cuh"
#include "tuned_parameters.hpp"

namespace tuned {

/// What --tune searches. As many blocks are to share the registers of a multiprocessor as leave a
/// thread 64 beside its sums.
template <int kTileM_, int kTileN_, int kTileK_, int kThreadM_, int kThreadN_>
struct Shape {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kTileK = kTileK_;
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
  static constexpr int kBlocks = 65536 / (kThreadM * kThreadN + 64) / kThreads;
  static constexpr Edges kEdges = Edges::kTestTile;
};

/// The same with its five sizes as parameters: no one choice is best for every matrix and device.
///
/// @expect  global_load_requests = (m * k * n / kTileN + k * n * m / kTileM) / 32 / 4
/// @expect  shared_load_requests =
///            (kThreadM + kThreadN) / 4 * m * n * k / 32 / (kThreadM * kThreadN)
/// @pre     S::kThreads threads; the grid covers n in x, m in y
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, int k, float alpha,      //
          const float* __restrict__ A, int lda,  // [m, k]
          const float* __restrict__ B, int ldb,  // [k, n]
          float beta,                            //
          float* __restrict__ C, int ldc) {      // [m, n]
  constexpr int kTileM = S::kTileM, kTileN = S::kTileN, kTileK = S::kTileK;
  constexpr int kThreadM = S::kThreadM, kThreadN = S::kThreadN, kThreads = S::kThreads;
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
  for_tiles<kTileK, S::kEdges>(is_whole, k, [&](auto access, int k0) {
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
  reach<S::kEdges>(is_whole, [&](auto access) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < kThreadN; j += kVector)
        access.store4(C, m, n, ldc, row0 + row + i, col0 + col + j / kVector * kGroupN, alpha,
                      &sum[i][j], beta);
  });
}

template <typename S>
void launch_shape(const Sgemm& s, cudaStream_t stream) {
  launch_tiles(sgemm<S>, S::kTileM, S::kTileN, S::kThreads, s, stream);
}

inline void launch(const Sgemm& s, cudaStream_t stream) { launch_shape<Tuned>(s, stream); }

}  // namespace tuned
