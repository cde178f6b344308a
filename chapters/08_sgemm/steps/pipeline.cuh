#pragma once

/// @file
/// What the last step builds on: a ring of stages that TMA fills, and warps that multiply what lies
/// there.

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cuda/ptx>
#include <numeric>

#include "problem.cuh"

namespace pipeline {

namespace ptx = cuda::ptx;

// The lanes of a warp: 8 down, 4 across. A thread's rows are 8 apart; its columns are vectors, 16
// apart.
constexpr int kWarpSize = 32;
constexpr int kLaneRows = 8;
constexpr int kLaneCols = 4;
constexpr int kSpan = 32;  // k of one box of A: 128 bytes of a row, what the swizzle permutes
constexpr int kSpanQuads = kSpan / kVector;
constexpr int kMaxChunk = 32;    // elements of C that a thread finishes at a time
constexpr int kGroupTiles = 16;  // tile rows that are walked together, for the L2 cache

/// What a thread, a block, a warp and a stage hold.
template <int kThreadM_, int kThreadN_, int kTileM_, int kTileN_, int kSlices_, int kPanel_,
          int kStages_>
struct Shape {
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kThreadVectors = kThreadN / kVector;
  static constexpr int kTileM = kTileM_, kTileN = kTileN_;
  static constexpr int kSlices = kSlices_;  // warps that share a tile, each with its part of k
  static constexpr int kPanel = kPanel_;    // k of one stage
  static constexpr int kStages = kStages_;

  static constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kWarps = kWarpsM * kWarpsN * kSlices;
  static constexpr int kThreads = kWarps * kWarpSize;
  static constexpr int kQuads = kPanel / kVector / kSlices;  // fours of k, per warp and panel

  static constexpr int kFloatsA = kTileM * kPanel;
  static constexpr int kStageFloats = kFloatsA + kPanel * kTileN;
  static constexpr int kTileFloats = kTileM * kTileN;
  // Padded to an odd number of lanes' spans, so that the two rows of a quarter of a warp differ in
  // their banks.
  static constexpr int kPitchC = (kTileN / (kLaneCols * kVector) | 1) * kLaneCols * kVector;
  static constexpr int kSliceFloatsC = kTileM * kPitchC;
  static constexpr int kSharedFloats = std::max(kStages * kStageFloats, kSlices* kSliceFloatsC);
  static constexpr int kSharedBytes = kSharedFloats * sizeof(float);
  static constexpr int kChunk = std::gcd(kTileFloats / kThreads, kMaxChunk);
  static constexpr int kStepB = kTileN;            // floats of a stage from one k of B to the next
  static constexpr int kQuadB = kVector * kTileN;  // and to the next four

  static_assert(kPanel % kSpan == 0 && kSpanQuads % kQuads == 0 &&
                kTileFloats % (kChunk * kThreads) == 0);
};

/// The stages in turn: `slot` holds the next panel; `parity` is that of its barriers' phase.
template <typename S>
struct Ring {
  int slot = 0;
  unsigned parity = 0;
  __device__ Ring next() const {
    return slot + 1 == S::kStages ? Ring{0, parity ^ 1} : Ring{slot + 1, parity};
  }
  __device__ Ring previous() const {
    return slot == 0 ? Ring{S::kStages - 1, parity ^ 1} : Ring{slot - 1, parity};
  }
};

template <typename S>
struct Barriers {
  std::uint64_t full[S::kStages];   // all bytes of the panel have arrived
  std::uint64_t empty[S::kStages];  // all warps have read it
};

/// A thread's place in the tile and in the panels.
template <typename S>
struct Place {
  int lane, warp, lane_row;
  int row, col;    // of its first element
  int first_quad;  // of its slice of a panel

  __device__ explicit Place(int thread)
      : lane(thread % kWarpSize),
        warp(thread / kWarpSize),
        // Bits of the lane, low to high: row, column, column, row, row. So half a warp reads at
        // once.
        lane_row(lane % 2 + lane / 8 * 2),
        row(warp % S::kWarpsM * S::kWarpM + lane_row),
        col(warp / S::kWarpsM % S::kWarpsN * S::kWarpN + lane / 2 % kLaneCols * kVector),
        first_quad(warp / (S::kWarpsM * S::kWarpsN) * S::kQuads) {}

  __device__ int a_offset() const { return (first_quad / kSpanQuads * S::kTileM + row) * kSpan; }
  /// Where the swizzle put quad q of its slice in a row of A.
  __device__ int swizzled(int q) const {
    return ((first_quad % kSpanQuads + q) ^ lane_row) * kVector;
  }
  __device__ int b_offset() const { return S::kFloatsA + first_quad * S::kQuadB + col; }
  __device__ int c_offset() const {
    return first_quad / S::kQuads * S::kSliceFloatsC + row * S::kPitchC + col;
  }
};

__device__ inline void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// Asks TMA for the panels of A, of B or of both; outside the matrices it delivers zeros. No map:
/// no panel.
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

/// Asks TMA for one panel of A and of B.
template <typename S>
__device__ inline void request_panel(const CUtensorMap& A, const CUtensorMap& B, int row, int col,
                                     int p, float* stage, std::uint64_t* full) {
  request_operands<S>(&A, &B, row, col, p, stage, full);
}

__device__ inline float4 load4(const float* shared) {
  return *reinterpret_cast<const float4*>(shared);
}
__device__ inline float part(const float4& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/// What a thread multiplies next.
template <typename S>
struct Fragments {
  float4 a[S::kThreadM];           // [row]: four k
  float4 b[2][S::kThreadVectors];  // [k even or odd]: the columns
};

/// Multiplies four k; meanwhile loads the fragments that the next four start with.
///
/// Back and forth along the rows: each FFMA shares an operand with the one before it, so it reads
/// two registers, and a scheduler's two banks deliver one each a cycle.
template <typename S>
__device__ __forceinline__ void multiply_quad(float (&sum)[S::kThreadM][S::kThreadN],
                                              Fragments<S>& f, const float* b, const float* next_a,
                                              const float* next_b) {
#pragma unroll
  for (int p = 0; p < kVector; ++p) {
    const float* b_row = p + 1 < kVector ? b + (p + 1) * S::kStepB : next_b;
#pragma unroll
    for (int j = 0; j < S::kThreadVectors; ++j)
      f.b[(p + 1) % 2][j] = load4(b_row + j * kLaneCols * kVector);
#pragma unroll
    for (int i = 0; i < S::kThreadM; ++i) {
#pragma unroll
      for (int step = 0; step < S::kThreadN; ++step) {
        const int j = i % 2 ? S::kThreadN - 1 - step : step;
        sum[i][j] += part(f.a[i], p) * part(f.b[p % 2][j / kVector], j % kVector);
      }
      if (p + 1 == kVector) f.a[i] = load4(next_a + i * kLaneRows * kSpan);
    }
  }
}

/// Adds the product of a run of panels to `sum`.
///
/// request_panel(panel, stage, barrier) asks TMA for the bytes of one panel; the stages are filled
/// ahead, and one that has been read is filled again. One thread asks, or all of them together.
template <typename S, typename Request>
__device__ __forceinline__ void multiply_panels(float (&sum)[S::kThreadM][S::kThreadN], int panels,
                                                const Place<S>& place, float* stages,
                                                Barriers<S>& barriers, Ring<S>& ring,
                                                const Request& request_panel,
                                                bool all_ask = false) {
  if (panels == 0) return;
  // A new barrier counts as one whose phase of parity 1 is over.
  const auto request = [&](int panel, const Ring<S>& last_use) {
    wait(&barriers.empty[last_use.slot], last_use.parity);
    request_panel(panel, stages + last_use.slot * S::kStageFloats, &barriers.full[last_use.slot]);
  };
  if (all_ask || threadIdx.x == 0) {
    Ring<S> last_use = {ring.slot, ring.parity ^ 1};
#pragma unroll 1
    for (int i = 0; i < S::kStages - 1 && i < panels; ++i, last_use = last_use.next())
      request(i, last_use);
  }

  const float* a_first = stages + place.a_offset();
  const float* b_first = stages + place.b_offset();
  Fragments<S> f;
  wait(&barriers.full[ring.slot], ring.parity);
#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i)
    f.a[i] =
        load4(a_first + ring.slot * S::kStageFloats + place.swizzled(0) + i * kLaneRows * kSpan);
#pragma unroll
  for (int j = 0; j < S::kThreadVectors; ++j)
    f.b[0][j] = load4(b_first + ring.slot * S::kStageFloats + j * kLaneCols * kVector);

#pragma unroll 1
  for (int done = 0; done < panels; ++done) {
    const float* a = a_first + ring.slot * S::kStageFloats;
    const float* b = b_first + ring.slot * S::kStageFloats;
#pragma unroll 1  // eight quads in a row are 70 KB of code: the instruction cache then costs 10 %
    for (int q = 0; q + 1 < S::kQuads; ++q) {
      const float* next_b = b + S::kQuadB;
      multiply_quad<S>(sum, f, b, a + place.swizzled(q + 1), next_b);
      b = next_b;
    }

    // The warps take turns to refill the stage of the panel before this one.
    const int ahead = done + S::kStages - 1;
    const bool asks = all_ask || (place.warp == done % S::kWarps && place.lane == 0);
    if (asks && ahead < panels) request(ahead, ring.previous());
    __syncwarp();
    const Ring<S> next = ring.next();
    const bool at_end = done + 1 == panels;
    if (!at_end) wait(&barriers.full[next.slot], next.parity);
    const int next_slot = at_end ? ring.slot : next.slot;  // the last one's loads are not used
    multiply_quad<S>(sum, f, b, a_first + next_slot * S::kStageFloats + place.swizzled(0),
                     b_first + next_slot * S::kStageFloats);
    __syncwarp();
    if (place.lane == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
    ring = next;
  }
}

/// Leaves a thread's sums in shared memory, so that warps can store whole rows whatever C's
/// alignment.
template <typename S>
__device__ inline void stage_sums(const float (&sum)[S::kThreadM][S::kThreadN],
                                  const Place<S>& place, float* staged) {
#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i)
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += kVector)
      *reinterpret_cast<float4*>(staged + place.c_offset() + i * kLaneRows * S::kPitchC +
                                 j * kLaneCols) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

/// Element e of the tile, row by row, summed over the slices.
template <typename S>
__device__ inline float staged_sum(const float* staged, int e) {
  float sum = 0.0f;
#pragma unroll
  for (int s = 0; s < S::kSlices; ++s)
    sum += staged[s * S::kSliceFloatsC + e / S::kTileN * S::kPitchC + e % S::kTileN];
  return sum;
}

}  // namespace pipeline
