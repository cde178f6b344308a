#pragma once

/// @file
/// Products with few rows or few columns: each element of the large matrix has a few FFMA only, so
/// it goes straight from global memory to a register. Its rows may begin anywhere.

#include "direct.cuh"

namespace pipeline {

/// What these tiles have in common.
template <int kTileM_, int kTileN_, int kSlices_, int kThreads_ = 256>
struct Thin : Ideas {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kSlices = kSlices_;
  static constexpr int kPanel = 256;  // k by which work is cut
  static constexpr int kThreads = kThreads_;

  static constexpr int kTileFloats = kTileM * kTileN;
  static constexpr int kPitchC = kTileN;
  static constexpr int kSliceFloatsC = kTileFloats;
  static constexpr int kSharedFloats = kSlices * kSliceFloatsC;
  static constexpr int kChunk = std::max(kTileFloats / kThreads, 1);
};

/// A few rows of A: a lane has a column of B or two, and a warp a part of k. Where there are fewer
/// than 32 columns to a warp, its lanes share their k.
template <int kRows, int kCols, int kSlices, int kLanes = kWarpSize>
struct FewRows : Thin<kRows, kCols * kLanes, kSlices, kSlices * kWarpSize> {
  using Tile = Thin<kRows, kCols * kLanes, kSlices, kSlices * kWarpSize>;
  static constexpr int kAhead = 16;                          // loads of B on their way
  static constexpr int kLaneK = kWarpSize / kLanes;          // k that share a load
  static constexpr int kBatch = kAhead * kLaneK;             // k of B that a warp loads at a time
  static constexpr int kPart = std::max(kWarpSize, kBatch);  // and of A
  static constexpr int kSliceFloatsC = std::max(Tile::kTileFloats, kPart* kRows);
  static constexpr int kSharedFloats = kSlices * kSliceFloatsC;

  /// Leaves each warp's sums over k from p to end in its slice of `staged`.
  static __device__ void multiply(const Matrix& A, const Matrix& B, const Corner& tile, int p,
                                  int end, float* staged) {
    const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
    const int lane_k = lane / kLanes, first_col = lane % kLanes;
    float* const slice = staged + warp * kSliceFloatsC;  // first for a part of A, [k, row]
    float sum[kRows][kCols] = {};
#pragma unroll 1
    for (p += warp * kPart; p < end; p += kSlices * kPart) {
      __syncwarp();
#pragma unroll
      for (int k = lane; k < kPart; k += kWarpSize)
#pragma unroll
        for (int i = 0; i < kRows; ++i)
          slice[k * kRows + i] =
              p + k < end ? element(A.data, A.ld, min(tile.row + i, A.rows - 1), p + k) : 0.0f;
      __syncwarp();
#pragma unroll 1
      for (int q = 0; q < kPart && p + q < end; q += kBatch) {
        float b[kAhead][kCols];
#pragma unroll
        for (int ahead = 0; ahead < kAhead; ++ahead)
#pragma unroll
          for (int j = 0; j < kCols; ++j) {
            const int row = p + q + ahead * kLaneK + lane_k;
            const int col = tile.col + j * kLanes + first_col;
            b[ahead][j] =
                row < end ? __ldcs(&element(B.data, B.ld, row, min(col, B.cols - 1))) : 0.0f;
          }
#pragma unroll
        for (int ahead = 0; ahead < kAhead; ++ahead)
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
            const float a = slice[(q + ahead * kLaneK + lane_k) * kRows + i];
#pragma unroll
            for (int j = 0; j < kCols; ++j) sum[i][j] += a * b[ahead][j];
          }
      }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
      for (int j = 0; j < kCols; ++j) {
        float total = sum[i][j];
#pragma unroll
        for (int distance = kLanes; distance < kWarpSize; distance *= 2)
          total += __shfl_xor_sync(~0u, total, distance);
        if (lane_k == 0) slice[i * Tile::kTileN + j * kLanes + first_col] = total;
      }
  }
};

/// A few columns of B: a warp has eight rows of A, and a lane a part of k. kSlices warps share
/// rows.
template <int kCols, int kSlices>
struct FewColumns : Thin<64 / kSlices, kCols, kSlices> {
  using Tile = Thin<64 / kSlices, kCols, kSlices>;
  static constexpr int kRows = 8;
  static constexpr int kAhead = 2;  // times 32 k that a warp loads at a time

  /// Leaves the sums over k from p to end in `staged`.
  static __device__ void multiply(const Matrix& A, const Matrix& B, const Corner& tile, int p,
                                  int end, float* staged) {
    constexpr int kStep = kAhead * kWarpSize;
    const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
    const int slice = warp % kSlices, row = warp / kSlices * kRows;
    float sum[kRows][kCols] = {};
#pragma unroll 1
    for (p += slice * kStep; p < end; p += kSlices * kStep) {
      float a[kAhead][kRows], b[kAhead][kCols];
#pragma unroll
      for (int ahead = 0; ahead < kAhead; ++ahead) {
        const int k = p + ahead * kWarpSize + lane;
#pragma unroll
        for (int i = 0; i < kRows; ++i)
          a[ahead][i] = k < end
                            ? __ldcs(&element(A.data, A.ld, min(tile.row + row + i, A.rows - 1), k))
                            : 0.0f;
#pragma unroll
        for (int j = 0; j < kCols; ++j)
          b[ahead][j] = k < end ? element(B.data, B.ld, k, min(tile.col + j, B.cols - 1)) : 0.0f;
      }
#pragma unroll
      for (int ahead = 0; ahead < kAhead; ++ahead)
#pragma unroll
        for (int i = 0; i < kRows; ++i)
#pragma unroll
          for (int j = 0; j < kCols; ++j) sum[i][j] += a[ahead][i] * b[ahead][j];
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
      for (int j = 0; j < kCols; ++j) {
        float total = sum[i][j];
#pragma unroll
        for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
          total += __shfl_xor_sync(~0u, total, distance);
        if (lane == i * kCols + j)
          staged[slice * Tile::kSliceFloatsC + (row + i) * kCols + j] = total;
      }
  }
};

/// Every thread loads what it multiplies. Each element of the large matrix is loaded once, so it
/// need not go through shared memory.
/// @expect  bulk_copies = 0
/// @expect  global_load_requests = m * n * k / 32 * (kTileM + kTileN) / (kTileM * kTileN)
/// @expect  global_store_requests = m * n / 32
/// @pre     S::kThreads threads, the schedule's blocks. The figures are those of a schedule that
///          splits no tile, of whole tiles of up to eight rows and 32 elements or more
template <typename S, typename SomePieces>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm_thin(int m, int n, int k, float alpha,  //
               const float* A, int lda,           // [m, k]
               const float* B, int ldb,           // [k, n]
               float beta,                        //
               float* C, int ldc,                 // [m, n]
               const even_shares::Schedule schedule, const SomePieces pieces) {
  __shared__ float staged[S::kSharedFloats];
  cudaGridDependencySynchronize();
  even_shares::for_share(schedule, [&](const even_shares::Work& work) {
    const Corner tile = corner_of<S>(work.tile, schedule.tiles_m, schedule.tiles_n);
    S::multiply({A, m, k, lda}, {B, k, n, ldb}, tile, work.first * S::kPanel,
                min(k, (work.first + work.count) * S::kPanel), staged);
    __syncthreads();
    even_shares::finish<S>(C, m, n, ldc, tile, alpha, beta, staged, schedule, work, pieces);
  });
}

/// Launches the schedule's blocks.
template <typename S, typename SomePieces>
void launch_thin(const Sgemm& s, const even_shares::Schedule& schedule, int blocks,
                 const SomePieces& pieces, cudaStream_t stream) {
  early_start::launch(sgemm_thin<S, SomePieces>, blocks, S::kThreads, 0, stream, s.m, s.n,
                      s.used_k(), s.alpha, s.A, s.lda, s.B, s.ldb, s.beta, s.C, s.ldc, schedule,
                      pieces);
}

}  // namespace pipeline
