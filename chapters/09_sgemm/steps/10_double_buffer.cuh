#pragma once

#include <cuda_pipeline.h>

#include "problem.cuh"

namespace double_buffer {

/// What --tune searches. As many blocks are to share the registers of a multiprocessor as leave a
/// thread 64 beside its sums.
template <int kTileM_, int kTileN_, int kTileK_, int kThreadM_, int kThreadN_, int kLaneRows_>
struct Shape {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kTileK = kTileK_;
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kLaneRows = kLaneRows_, kLaneCols = 32 / kLaneRows;
  static constexpr int kThreads = kTileM / kThreadM * (kTileN / kThreadN);
  static constexpr int kBlocks = 65536 / (kThreadM * kThreadN + 64) / kThreads;
  static constexpr Edges kEdges = Edges::kTestTile;
};

using Tuned = Shape<64, 128, 16, 8, 8, 8>;

/// Copies elements (row, col) to (row, col + 3) to shared memory, past the registers; they have
/// arrived when the thread's pipeline says so.
__device__ inline void copy4(Untested, float& to, const float* M, int, int, int ld, int row,
                             int col) {
  __pipeline_memcpy_async(&to, &element(M, ld, row, col), sizeof(float4));
}

/// The same where some may lie outside the matrix: through registers, and there is no need to wait.
__device__ inline void copy4(Tested, float& to, const float* M, int rows, int cols, int ld, int row,
                             int col) {
  as_float4(to) = Tested::load4(M, rows, cols, ld, row, col);
}

/// Copies the tile of B that begins at (row0, col0).
template <typename S, typename Access>
__device__ void copy_tile(Access access, float (*to)[S::kTileN], const float* B, int rows, int cols,
                          int ld, int row0, int col0) {
  for (int first = 0; first < S::kTileK * S::kTileN; first += S::kThreads * kVector) {
    const int i = first + threadIdx.x * kVector;
    copy4(access, to[i / S::kTileN][i % S::kTileN], B, rows, cols, ld, row0 + i / S::kTileN,
          col0 + i % S::kTileN);
  }
  __pipeline_commit();
}

/// The same with two pairs of tiles, half as deep: while one is multiplied, the next is on its way,
/// and one barrier per tile is enough.
///
/// B is copied past the registers. A has to be turned: it waits in registers, and is stored when
/// the tile that is multiplied is done.
/// @expect  global_load_requests = (m * k * n / 128 + k * n * m / 64) / 32 / 4
/// @expect  global_load_sectors = 16 * (m * k * n / 128 + k * n * m / 64) / 32 / 4
/// @expect  shared_load_requests = (2 + 2) * m * n * k / 32 / 64
/// @expect  shared_load_wavefronts = (2 * 2 + 2 * 4) * m * n * k / 32 / 64
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
  constexpr int kLaneRows = S::kLaneRows, kLaneCols = S::kLaneCols;
  constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  // kPad moves each lane's store of A to other banks. kGroupN is the distance from one of a
  // thread's groups of four columns to the next.
  constexpr int kPad = kVector * 32 / kTileK;
  constexpr int kGroupN = kWarpN / (kThreadN / kVector);
  __shared__ __align__(sizeof(float4)) float a_tiles[2][kTileK / kVector][kVector * kTileM + kPad];
  __shared__ __align__(sizeof(float4)) float b_tiles[2][kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const bool is_whole = is_inside(m, n, row0, col0, kTileM, kTileN) && is_aligned(A, lda) &&
                        is_aligned(B, ldb) && is_aligned(C, ldc);
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int row = warp / (kTileN / kWarpN) * kWarpM + lane / kLaneCols * kThreadM;
  const int col = warp % (kTileN / kWarpN) * kWarpN + lane % kLaneCols * kVector;

  float sum[kThreadM][kThreadN] = {};
  float4 next_a[kTileM * kTileK / (kThreads * kVector)];  // the next tile of A: this thread's part
  const auto load_next = [&](int k0) {
    reach<S::kEdges>(is_whole && k0 + kTileK <= k, [&](auto access) {
      for (int first = 0; first < kTileM * kTileK; first += kThreads * kVector) {
        const int i = first + threadIdx.x * kVector;
        next_a[first / (kThreads * kVector)] =
            access.load4(A, m, k, lda, row0 + i / kTileK, k0 + i % kTileK);
      }
      copy_tile<S>(access, b_tiles[k0 / kTileK % 2], B, k, n, ldb, k0, col0);
    });
  };
  load_next(0);
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    const auto a_tile = a_tiles[k0 / kTileK % 2];
    const auto b_tile = b_tiles[k0 / kTileK % 2];
    for (int first = 0; first < kTileM * kTileK; first += kThreads * kVector) {
      const int i = first + threadIdx.x * kVector;
      const float4 a = next_a[first / (kThreads * kVector)];
      a_tile[i % kTileK / kVector][i / kTileK] = a.x;
      a_tile[i % kTileK / kVector][kTileM + i / kTileK] = a.y;
      a_tile[i % kTileK / kVector][2 * kTileM + i / kTileK] = a.z;
      a_tile[i % kTileK / kVector][3 * kTileM + i / kTileK] = a.w;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k0 + kTileK < k) load_next(k0 + kTileK);

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
  }
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

}  // namespace double_buffer
