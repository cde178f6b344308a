#pragma once

/// @file
/// Panels of matrices whose rows do not all begin on 16 bytes, which TMA cannot read.
///
/// The idea: the stages do not care who fills them. Every thread copies its share of a panel, four
/// bytes at a time, with cp.async: without registers, and without waiting. When a thread's copies
/// are there, they arrive at the same barrier at which TMA's bytes would have arrived. What lies
/// outside the matrix is copied as no byte of four, which leaves a zero.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/ptx>

#include "16_even_shares.cuh"

namespace any_shape {

using namespace pipeline;

/// A matrix in global memory, for copies by threads; empty where TMA reads it.
struct Plain {
  const float* data = nullptr;  // [rows, cols]
  int ld = 0, rows = 0, cols = 0;
  __host__ __device__ bool is_there() const { return data != nullptr; }
};

constexpr int kUnrolled = 4;  // more would want more of the instruction cache

/// One float, or a zero.
template <bool kIsTested>
__device__ __forceinline__ void copy_float(float* shared, const float* global, bool is_inside) {
  __pipeline_memcpy_async(shared, global, sizeof(float),
                          !kIsTested || is_inside ? 0 : sizeof(float));
}

/// This thread's share of kTileM rows of A from (row0, p0) on, swizzled as TMA does it.
///
/// A warp copies the 32 k of one row at a time. The rows of its next copies are 8 further down, so
/// that the swizzle is the same for all of them.
template <typename S, bool kIsTested>
__device__ __forceinline__ void copy_a(const Plain& A, const Place<S>& place, int row0, int p0,
                                       float* stage) {
  constexpr int kWarpRows = S::kWarps < kLaneRows ? S::kWarps : kLaneRows;
  constexpr int kSteps = S::kTileM / kLaneRows, kTurns = S::kWarps / kWarpRows;
  static_assert(kLaneRows % kWarpRows == 0 && S::kWarps % kWarpRows == 0 && kSteps % kTurns == 0);
#pragma unroll 1
  for (int first = 0; first < kLaneRows; first += kWarpRows) {
    const int row_in_8 = first + place.warp % kWarpRows;
    const int swizzled = (place.lane / kVector ^ row_in_8) * kVector + place.lane % kVector;
    const int step0 = place.warp / kWarpRows;  // more than 8 warps take turns
    int row = row0 + row_in_8 + step0 * kLaneRows;
    const float* from = A.data + static_cast<long long>(row) * A.ld + p0 + place.lane;
    float* to = stage + (row_in_8 + step0 * kLaneRows) * kSpan + swizzled;
#pragma unroll(kIsTested ? 1 : kUnrolled)
    for (int step = 0; step < kSteps; step += kTurns) {
#pragma unroll
      for (int span = 0; span < S::kPanel / kSpan; ++span)
        copy_float<kIsTested>(to + (span * S::kTileM + step * kLaneRows) * kSpan,
                              from + span * kSpan,
                              row < A.rows && p0 + span * kSpan + place.lane < A.cols);
      from += static_cast<long long>(kTurns * kLaneRows) * A.ld;
      row += kTurns * kLaneRows;
    }
  }
}

/// The same for kPanel rows of B from (p0, col0) on.
template <typename S, bool kIsTested>
__device__ __forceinline__ void copy_b(const Plain& B, const Place<S>& place, int p0, int col0,
                                       float* stage) {
  constexpr int kCols = S::kTileN < kWarpSize ? S::kTileN : kWarpSize;  // of one copy of a warp
  constexpr int kRows = kWarpSize / kCols, kStep = kRows * S::kWarps;
  static_assert(S::kTileN % kCols == 0 && S::kPanel % kStep == 0);
  const int row = place.warp * kRows + place.lane / kCols, col = place.lane % kCols;
  const float* from = B.data + static_cast<long long>(p0 + row) * B.ld + col0 + col;
  float* to = stage + S::kFloatsA + row * S::kTileN + col;
#pragma unroll(kIsTested ? 1 : kUnrolled)
  for (int p = 0; p < S::kPanel; p += kStep) {
#pragma unroll
    for (int j = 0; j < S::kTileN; j += kCols)
      copy_float<kIsTested>(to + p * S::kTileN + j, from + j,
                            p0 + row + p < B.rows && col0 + col + j < B.cols);
    from += static_cast<long long>(kStep) * B.ld;
  }
}

/// Asks TMA for the panels of A, of B or of both.
template <typename S>
__device__ inline void request_operands(const CUtensorMap* A, const CUtensorMap* B, int row,
                                        int col, int p, float* stage, std::uint64_t* full) {
  const std::uint32_t floats = (A ? S::kFloatsA : 0) + (B ? S::kStageFloats - S::kFloatsA : 0);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                 static_cast<std::uint32_t>(floats * sizeof(float)));
#pragma unroll
  for (int span = 0; A && span < S::kPanel / kSpan; ++span) {
    const int at_a[] = {p + span * kSpan, row};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              stage + span * S::kTileM * kSpan, A, at_a, full);
  }
  if (!B) return;
  const int at_b[] = {col, p};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage + S::kFloatsA, B, at_b,
                            full);
}

/// How many arrivals fill a stage: of each thread that copies, and of the one that asks TMA.
template <typename S>
__device__ inline std::uint32_t arrivals(const Plain& A, const Plain& B) {
  const bool by_threads = A.is_there() || B.is_there(), by_tma = !(A.is_there() && B.is_there());
  return (by_threads ? S::kThreads : 0) + by_tma;
}

/// Fills a stage: every thread of the block calls it.
template <typename S>
__device__ __forceinline__ void copy_panel(const Plain& A, const CUtensorMap& map_a, const Plain& B,
                                           const CUtensorMap& map_b, const Place<S>& place,
                                           int row0, int col0, int p0, float* stage,
                                           std::uint64_t* full) {
  if (threadIdx.x == 0 && !(A.is_there() && B.is_there()))
    request_operands<S>(A.is_there() ? nullptr : &map_a, B.is_there() ? nullptr : &map_b, row0,
                        col0, p0, stage, full);
  if (A.is_there()) {
    if (row0 + S::kTileM <= A.rows && p0 + S::kPanel <= A.cols)
      copy_a<S, false>(A, place, row0, p0, stage);
    else
      copy_a<S, true>(A, place, row0, p0, stage);
  }
  if (B.is_there()) {
    if (p0 + S::kPanel <= B.rows && col0 + S::kTileN <= B.cols)
      copy_b<S, false>(B, place, p0, col0, stage);
    else
      copy_b<S, true>(B, place, p0, col0, stage);
  }
  ptx::cp_async_mbarrier_arrive_noinc(full);
}

}  // namespace any_shape
