#pragma once

#include "problem.cuh"
#include "tuned_parameters.hpp"

namespace tuned {

constexpr int kVector = 4;  // floats of one 16-byte access
constexpr int kPad = kVector;

/// What --tune searches.
template <int kTileM_, int kTileN_, int kTileK_, int kThreadM_, int kThreadN_>
struct Shape {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kTileK = kTileK_;
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
};

/// The same with its five sizes as parameters: no one choice is best for every matrix and device.
///
/// @expect  global_load_requests = (m * k * n / kTileN + k * n * m / kTileM) / 32 / 4
/// @expect  shared_load_requests =
///            (kThreadM + kThreadN) / 4 * m * n * k / 32 / (kThreadM * kThreadN)
/// @pre     S::kThreads threads; the grid covers n in x, m in y
template <typename S>
__global__ void __launch_bounds__(S::kThreads) sgemm(int m, int n, int k, float alpha,  //
                                                     const float* A, int lda,           // [m, k]
                                                     const float* B, int ldb,           // [k, n]
                                                     float beta,                        //
                                                     float* C, int ldc) {               // [m, n]
  constexpr int kTileM = S::kTileM, kTileN = S::kTileN, kTileK = S::kTileK;
  constexpr int kThreadM = S::kThreadM, kThreadN = S::kThreadN, kThreads = S::kThreads;
  constexpr int kGroupN =
      kTileN / (kThreadN / kVector);  // from one group of four columns to the next
  __shared__ __align__(sizeof(float4)) float a_tile[kTileK][kTileM + kPad];
  __shared__ __align__(sizeof(float4)) float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const int row = threadIdx.x / (kTileN / kThreadN) * kThreadM;
  const int col = threadIdx.x % (kTileN / kThreadN) * kVector;

  float sum[kThreadM][kThreadN] = {};
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    for (int i = threadIdx.x * kVector; i < kTileM * kTileK; i += kThreads * kVector) {
      const float4 a = load4_or_zero(A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
      a_tile[i % kTileK][i / kTileK] = a.x;
      a_tile[i % kTileK + 1][i / kTileK] = a.y;
      a_tile[i % kTileK + 2][i / kTileK] = a.z;
      a_tile[i % kTileK + 3][i / kTileK] = a.w;
    }
    for (int i = threadIdx.x * kVector; i < kTileK * kTileN; i += kThreads * kVector)
      as_float4(b_tile[i / kTileN][i % kTileN]) =
          load4_or_zero(B, k, n, ldb, k0 + i / kTileN, col0 + i % kTileN);
    __syncthreads();

    for (int p = 0; p < kTileK; ++p) {
      __align__(sizeof(float4)) float a[kThreadM], b[kThreadN];
      for (int i = 0; i < kThreadM; i += kVector) as_float4(a[i]) = as_float4(a_tile[p][row + i]);
      for (int j = 0; j < kThreadN; j += kVector)
        as_float4(b[j]) = as_float4(b_tile[p][col + j / kVector * kGroupN]);
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
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

}  // namespace tuned
