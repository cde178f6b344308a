#pragma once

/// @file
/// What the steps with TMA build on and none of them teaches: the ring of stages that TMA fills,
/// its barriers, the order of the tiles, and a tile's way to C.

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cuda/ptx>
#include <numeric>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"
#include "tma.cuh"

namespace pipeline {

namespace ptx = cuda::ptx;

constexpr int kWarpSize = 32;
constexpr int kLaneRows = 8, kLaneCols = 4;  // the lanes of a warp: 8 down, 4 across
constexpr int kSpan = 32;      // k of one box of A: 128 bytes of a row, what the swizzle permutes
constexpr int kMaxChunk = 32;  // elements of C that a thread finishes at a time

/// The ideas of the last steps that are a line or two: --kernel ablations takes out each of them.
struct Ideas {
  static constexpr bool kSwizzles = true;    // rows of A are permuted
  static constexpr bool kTurnsBack = true;   // every second row is walked backwards
  static constexpr bool kTakesTurns = true;  // the warps refill stages by turns
  static constexpr int kAhead = 1;           // k from the load of a fragment to its use
  static constexpr int kGroupTiles = 16;     // tile rows that are walked together
};

/// What a thread, a block, a warp and a stage hold.
template <int kThreadM_, int kThreadN_, int kTileM_, int kTileN_, int kPanel_, int kStages_>
struct TileShape : Ideas {
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kThreadVectors = kThreadN / kVector;
  static constexpr int kTileM = kTileM_, kTileN = kTileN_;
  static constexpr int kPanel = kPanel_;  // k of one stage
  static constexpr int kStages = kStages_;

  static constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kWarps = kWarpsM * kWarpsN;
  static constexpr int kThreads = kWarps * kWarpSize;
  // As many blocks share a multiprocessor's registers as leave a thread 64 beside its sums.
  static constexpr int kBlocks = 65536 / (kThreadM * kThreadN + 64) / kThreads;
  static constexpr int kQuads = kPanel / kVector;  // fours of k of a panel

  static constexpr int kFloatsA = kTileM * kPanel;
  static constexpr int kStageFloats = kFloatsA + kPanel * kTileN;
  static constexpr int kSharedBytes = kStages * kStageFloats * sizeof(float);
  // Half a warp then reads at once, which pays where there are few FFMA for a load.
  static constexpr bool kMixesLanes = kThreadM * kThreadN < 128;
  static constexpr int kStepB = kTileN;            // floats of a stage from one k of B to the next
  static constexpr int kQuadB = kVector * kTileN;  // and to the next four

  static constexpr int kTileFloats = kTileM * kTileN;
  // Padded to an odd number of lanes' spans, so that the two rows of a quarter of a warp differ in
  // their banks.
  static constexpr int kPitchC = (kTileN / (kLaneCols * kVector) | 1) * kLaneCols * kVector;

  static_assert(kPanel % kSpan == 0);
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

/// Makes the barriers of a block, before any of its threads uses one.
template <typename S>
__device__ inline void set_up(Barriers<S>& barriers) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      ptx::mbarrier_init(&barriers.full[s], std::uint32_t{1});
      ptx::mbarrier_init(&barriers.empty[s], std::uint32_t{S::kWarps});
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
}

/// Waits until the barrier's phase of that parity is over; at a new barrier, phase 1 is.
__device__ inline void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// Asks TMA for one panel of A and of B; outside the matrices it delivers zeros.
template <typename S>
__device__ inline void request_panel(const CUtensorMap& A, const CUtensorMap& B, int row, int col,
                                     int p, float* stage, std::uint64_t* full) {
  constexpr std::uint32_t kBytes = S::kStageFloats * sizeof(float);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, kBytes);
#pragma unroll
  for (int span = 0; span < S::kPanel / kSpan; ++span) {
    const int at_a[] = {p + span * kSpan, row};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              stage + span * S::kTileM * kSpan, &A, at_a, full);
  }
  const int at_b[] = {col, p};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage + S::kFloatsA, &B, at_b,
                            full);
}

__device__ inline float4 load4(const float* shared) {
  return *reinterpret_cast<const float4*>(shared);
}
__device__ inline float part(const float4& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/// Where a tile begins in C.
struct Corner {
  int row, col;
};

/// The tiles of a few rows of tiles are walked together, column by column: those that are computed
/// at a time share rows of A and columns of B in the L2 cache.
template <typename S>
__device__ inline Corner corner_of(int tile, int tiles_m, int tiles_n) {
  const int group = tile / (S::kGroupTiles * tiles_n);
  const int group_rows = min(S::kGroupTiles, tiles_m - group * S::kGroupTiles);
  const int in_group = tile - group * S::kGroupTiles * tiles_n;
  return {(group * S::kGroupTiles + in_group % group_rows) * S::kTileM,
          in_group / group_rows * S::kTileN};
}

/// A thread's place in the tile. Its rows are 8 apart; its columns are vectors, 16 apart.
template <typename S>
struct TilePlace {
  int lane, warp, lane_row;
  int row, col;  // of its first element

  __device__ explicit TilePlace(int thread)
      : lane(thread % kWarpSize),
        warp(thread / kWarpSize),
        // Mixed, the bits of the lane are, low to high: row, column, column, row, row.
        lane_row(S::kMixesLanes ? lane % 2 + lane / 8 * 2 : lane / kLaneCols),
        row(warp % S::kWarpsM * S::kWarpM + lane_row),
        col(warp / S::kWarpsM % S::kWarpsN * S::kWarpN +
            (S::kMixesLanes ? lane / 2 : lane) % kLaneCols * kVector) {}

  __device__ int a_offset() const { return row * kSpan; }
  /// Where the swizzle put quad q in a row of A.
  __device__ int swizzled(int q) const { return (S::kSwizzles ? q ^ lane_row : q) * kVector; }
  __device__ int b_offset() const { return S::kFloatsA + col; }
  __device__ int c_offset() const { return row * S::kPitchC + col; }
};

/// Stores a thread's sums from its registers.
template <typename S, typename Access, typename Place>
__device__ inline void store_from_registers(Access access, float* C, int m, int n, int ldc,
                                            const Corner& tile, const Place& place, float alpha,
                                            const float (&sum)[S::kThreadM][S::kThreadN],
                                            float beta) {
#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i)
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += kVector)
      access.store4(C, m, n, ldc, tile.row + place.row + i * kLaneRows,
                    tile.col + place.col + j * kLaneCols, alpha, &sum[i][j], beta);
}

/// Leaves a thread's sums in shared memory, so that warps can store whole rows whatever C's
/// alignment.
template <typename S, typename Place>
__device__ inline void stage_sums(const float (&sum)[S::kThreadM][S::kThreadN], const Place& place,
                                  float* staged) {
#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i)
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += kVector)
      *reinterpret_cast<float4*>(staged + place.c_offset() + i * kLaneRows * S::kPitchC +
                                 j * kLaneCols) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

/// Stores the tile at (row0, col0) of C, a chunk at a time: read(total, e) gives this thread's part
/// of it, which begins with element e of the tile. More at a time would want registers that the
/// main loop needs.
template <typename S, typename Read>
__device__ inline void store_chunks(float* C, int m, int n, int ldc, const Corner& tile,
                                    float alpha, float beta, const Read& read) {
#pragma unroll 1
  for (int e0 = threadIdx.x; e0 < S::kTileFloats; e0 += S::kChunk * S::kThreads) {
    float total[S::kChunk] = {};
    read(total, e0);
#pragma unroll
    for (int r = 0; r < S::kChunk; ++r) {
      const int e = e0 + r * S::kThreads;
      store(C, m, n, ldc, tile.row + e / S::kTileN, tile.col + e % S::kTileN, alpha, total[r],
            beta);
    }
  }
}

template <typename S>
int tile_count(const Sgemm& s) {
  return course::divide_up(s.m, S::kTileM) * course::divide_up(s.n, S::kTileN);
}

/// A and B as TMA reads them.
struct Operands {
  CUtensorMap A{}, B{};
};

/// Describes A and B for the panels of a shape. Copies that TMA needs go to `workspace`, which then
/// moves on behind them.
template <typename S>
Operands describe_operands(const Sgemm& s, float*& workspace, cudaStream_t stream) {
  const int k = s.used_k();
  if (k == 0) return {};
  const auto [a, b] = tma::aligned(s, workspace, stream);
  const auto swizzle = S::kSwizzles ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE;
  return {tma::describe(a, s.m, k, S::kTileM, kSpan, swizzle),
          tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE)};
}

/// A kernel of which a block computes a tile of C.
using PanelKernel = void(int m, int n, int k, float alpha, const CUtensorMap A, const CUtensorMap B,
                         float beta, float* C, int ldc);

/// Launches a block for every tile of C.
template <typename S>
void launch_shape(PanelKernel& kernel, const dim3& grid, const Sgemm& s, cudaStream_t stream) {
  float* workspace = s.workspace;
  const auto [A, B] = describe_operands<S>(s, workspace, stream);
  course::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  kernel<<<grid, S::kThreads, S::kSharedBytes, stream>>>(s.m, s.n, s.used_k(), s.alpha, A, B,
                                                         s.beta, s.C, s.ldc);
}

/// The grid that covers n in x and m in y.
template <typename S>
dim3 grid_of(const Sgemm& s) {
  return dim3(course::divide_up(s.n, S::kTileN), course::divide_up(s.m, S::kTileM));
}

/// Floats of workspace.
inline std::size_t workspace_floats(const Sgemm& s) { return tma::copies_floats(s); }

}  // namespace pipeline
