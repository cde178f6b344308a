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

/// One float, or a zero.
template <bool kIsTested>
__device__ __forceinline__ void copy_float(float* shared, const float* global, bool is_inside) {
  __pipeline_memcpy_async(shared, global, sizeof(float),
                          !kIsTested || is_inside ? 0 : sizeof(float));
}

/// Part `part` of kQuads of this thread's share of kTileM rows of A from (row0, p0) on, swizzled as
/// TMA does it. A warp copies the 32 k of a row at a time.
template <typename S, bool kIsTested>
__device__ __forceinline__ void copy_a(const Plain& A, const Place<S>& place, int part, int row0,
                                       int p0, float* stage) {
  constexpr int kSpans = S::kPanel / kSpan, kRows = S::kTileM / S::kWarps;
  constexpr int kShare = kRows * kSpans / S::kQuads;
  static_assert(kShare * S::kQuads == kRows * kSpans);
  const int quad = place.lane / kVector, k = place.lane % kVector;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int item = part * kShare + i, span = item % kSpans;
    const int row = item / kSpans * S::kWarps + place.warp, p = p0 + span * kSpan + place.lane;
    copy_float<kIsTested>(
        stage + (span * S::kTileM + row) * kSpan + (quad ^ row % kLaneRows) * kVector + k,
        A.data + static_cast<long long>(row0 + row) * A.ld + p, row0 + row < A.rows && p < A.cols);
  }
}

/// The same for kPanel rows of B from (p0, col0) on.
template <typename S, bool kIsTested>
__device__ __forceinline__ void copy_b(const Plain& B, const Place<S>& place, int part, int p0,
                                       int col0, float* stage) {
  constexpr int kCols = S::kTileN < kWarpSize ? S::kTileN : kWarpSize;  // of one copy of a warp
  constexpr int kRows = kWarpSize / kCols, kStep = kRows * S::kWarps, kChunks = S::kTileN / kCols;
  constexpr int kShare = S::kPanel / kStep * kChunks / S::kQuads;
  static_assert(kShare * S::kQuads * kCols * kStep == S::kPanel * S::kTileN);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int item = part * kShare + i;
    const int p = item / kChunks * kStep + place.warp * kRows + place.lane / kCols;
    const int col = item % kChunks * kCols + place.lane % kCols;
    copy_float<kIsTested>(stage + S::kFloatsA + p * S::kTileN + col,
                          B.data + static_cast<long long>(p0 + p) * B.ld + col0 + col,
                          p0 + p < B.rows && col0 + col < B.cols);
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

/// A and B, each as threads copy it or as TMA reads it.
struct Sources {
  const Plain &A, &B;
  const CUtensorMap &map_a, &map_b;
};

/// Part `part` of a panel: every thread of the block calls it, for all parts in turn.
template <typename S>
__device__ __forceinline__ void copy_part(const Sources& from, const Place<S>& place, int part,
                                          int row0, int col0, int p0, float* stage,
                                          std::uint64_t* full) {
  const auto& [A, B, map_a, map_b] = from;
  if (part == 0 && threadIdx.x == 0 && !(A.is_there() && B.is_there()))
    request_operands<S>(A.is_there() ? nullptr : &map_a, B.is_there() ? nullptr : &map_b, row0,
                        col0, p0, stage, full);
  if (A.is_there()) {
    if (row0 + S::kTileM <= A.rows && p0 + S::kPanel <= A.cols)
      copy_a<S, false>(A, place, part, row0, p0, stage);
    else
      copy_a<S, true>(A, place, part, row0, p0, stage);
  }
  if (B.is_there()) {
    if (p0 + S::kPanel <= B.rows && col0 + S::kTileN <= B.cols)
      copy_b<S, false>(B, place, part, p0, col0, stage);
    else
      copy_b<S, true>(B, place, part, p0, col0, stage);
  }
  if (part + 1 == S::kQuads) ptx::cp_async_mbarrier_arrive_noinc(full);
}

/// Adds the product of a run of panels to `sum`, as multiply_panels() does, but all threads fill
/// the stages: a part of a panel before each four k, so that there are always multiply-adds between
/// copies.
///
/// copy(panel, part, stage, barrier) copies. A stage is filled again a panel later than by TMA:
/// else all warps would wait for the slowest at each panel.
template <typename S, typename Copy>
__device__ __forceinline__ void multiply_copies(float (&sum)[S::kThreadM][S::kThreadN], int panels,
                                                const Place<S>& place, float* stages,
                                                Barriers<S>& barriers, const Copy& copy) {
  if (panels == 0) return;
  constexpr int kAhead = S::kStages > 2 ? S::kStages - 2 : 1;
  Ring<S> ring, filled;
  const auto fill = [&](int panel, int part) {
    if (part == 0) wait(&barriers.empty[filled.slot], filled.parity ^ 1);
    copy(panel, part, stages + filled.slot * S::kStageFloats, &barriers.full[filled.slot]);
    if (part + 1 == S::kQuads) filled = filled.next();
  };
#pragma unroll 1
  for (int i = 0; i < kAhead * S::kQuads && i < panels * S::kQuads; ++i)
    fill(i / S::kQuads, i % S::kQuads);

  const float* const a_first = stages + place.a_offset();
  const float* const b_first = stages + place.b_offset();
  Fragments<S> f;
  wait(&barriers.full[0], 0);
  f.load_a(a_first + place.swizzled(0));
  f.load_b(0, b_first);
#pragma unroll 1
  for (int done = 0; done < panels; ++done) {
    const Ring<S> next = done + 1 < panels ? ring.next() : ring;  // the last loads are not used
    const float* b = b_first + ring.slot * S::kStageFloats;
#pragma unroll 1
    for (int q = 0; q < S::kQuads; ++q) {
      if (done + kAhead < panels) fill(done + kAhead, q);
      const bool is_last = q + 1 == S::kQuads;
      if (is_last && done + 1 < panels) wait(&barriers.full[next.slot], next.parity);
      const int slot = is_last ? next.slot : ring.slot;
      const float* const next_b = is_last ? b_first + slot * S::kStageFloats : b + S::kQuadB;
      multiply_quad<S>(sum, f, b,
                       a_first + slot * S::kStageFloats + place.swizzled(is_last ? 0 : q + 1),
                       next_b);
      b = next_b;
    }
    __syncwarp();
    if (place.lane == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
    ring = next;
  }
}

}  // namespace any_shape
