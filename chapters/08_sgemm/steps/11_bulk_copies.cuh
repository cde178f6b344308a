#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/ptx>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"
#include "tma.cuh"

namespace bulk_copies {

namespace ptx = cuda::ptx;

// The lanes of a warp: 8 down, 4 across. A thread's rows are 8 apart; its columns are vectors, 16
// apart.
constexpr int kWarpSize = 32;
constexpr int kVector = 4;  // floats of one 16-byte access
constexpr int kLaneRows = 8;
constexpr int kLaneCols = 4;
constexpr int kSpan = 32;        // k of one box of A: 128 bytes of a row, what the swizzle permutes
constexpr int kMaxChunk = 32;    // elements of C that a thread finishes at a time
constexpr int kGroupTiles = 16;  // tile rows that are walked together, for the L2 cache

/// What a thread, a block, a warp and a stage hold.
template <int kThreadM_, int kThreadN_, int kTileM_, int kTileN_, int kPanel_, int kStages_>
struct Shape {
  static constexpr int kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kThreadVectors = kThreadN / kVector;
  static constexpr int kTileM = kTileM_, kTileN = kTileN_;
  static constexpr int kPanel = kPanel_;  // k of one stage
  static constexpr int kStages = kStages_;

  static constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kWarps = kWarpsM * kWarpsN;
  static constexpr int kThreads = kWarps * kWarpSize;
  static constexpr int kQuads = kPanel / kVector;  // fours of k of a panel

  static constexpr int kFloatsA = kTileM * kPanel;
  static constexpr int kStageFloats = kFloatsA + kPanel * kTileN;
  static constexpr int kTileFloats = kTileM * kTileN;
  // Padded to an odd number of lanes' spans, so that the two rows of a quarter of a warp differ in
  // their banks.
  static constexpr int kPitchC = (kTileN / (kLaneCols * kVector) | 1) * kLaneCols * kVector;
  static constexpr int kSharedFloats = std::max(kStages * kStageFloats, kTileM* kPitchC);
  static constexpr int kSharedBytes = kSharedFloats * sizeof(float);
  static constexpr int kChunk = std::min(kTileFloats / kThreads, kMaxChunk);

  static_assert(kPanel == kSpan && kTileFloats % (kChunk * kThreads) == 0);
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

/// A thread's place in the tile.
template <typename S>
struct Place {
  int lane, warp, lane_row;
  int row, col;  // of its first element

  __device__ explicit Place(int thread)
      : lane(thread % kWarpSize),
        warp(thread / kWarpSize),
        // Bits of the lane, low to high: row, column, column, row, row. So half a warp reads at
        // once.
        lane_row(lane % 2 + lane / 8 * 2),
        row(warp % S::kWarpsM * S::kWarpM + lane_row),
        col(warp / S::kWarpsM % S::kWarpsN * S::kWarpN + lane / 2 % kLaneCols * kVector) {}

  __device__ int a_offset() const { return row * kSpan; }
  /// Where the swizzle put quad q in a row of A.
  __device__ int swizzled(int q) const { return (q ^ lane_row) * kVector; }
  __device__ int b_offset() const { return S::kFloatsA + col; }
  __device__ int c_offset() const { return row * S::kPitchC + col; }
};

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
  const int at_a[] = {p, row};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
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
    const float* b_row = p + 1 < kVector ? b + (p + 1) * S::kTileN : next_b;
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

/// Adds the product of all panels to `sum`.
template <typename S>
__device__ __forceinline__ void multiply_panels(float (&sum)[S::kThreadM][S::kThreadN],
                                                const CUtensorMap& A, const CUtensorMap& B, int row,
                                                int col, int panels, const Place<S>& place,
                                                float* stages, Barriers<S>& barriers,
                                                Ring<S>& ring) {
  if (panels == 0) return;
  const auto request = [&](int panel, int slot) {
    request_panel<S>(A, B, row, col, panel * S::kPanel, stages + slot * S::kStageFloats,
                     &barriers.full[slot]);
  };
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < S::kStages - 1 && i < panels; ++i) request(i, (ring.slot + i) % S::kStages);
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
      const float* next_b = b + kVector * S::kTileN;
      multiply_quad<S>(sum, f, b, a + place.swizzled(q + 1), next_b);
      b = next_b;
    }

    // The warps take turns to refill the stage of the panel before this one.
    const int ahead = done + S::kStages - 1;
    if (place.warp == done % S::kWarps && place.lane == 0 && ahead < panels) {
      const Ring<S> free = ring.previous();
      if (done > 0) wait(&barriers.empty[free.slot], free.parity);
      request(ahead, free.slot);
    }
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

/// Element e of the tile, row by row.
template <typename S>
__device__ inline float staged_sum(const float* staged, int e) {
  return staged[e / S::kTileN * S::kPitchC + e % S::kTileN];
}

/// TMA fetches the tiles, up to three panels ahead; the warps and TMA tell each other by barriers
/// in shared memory which stage is full and which is empty.
///
/// No lane loads or stores a tile, and no barrier of the whole block stands in the loop. A thread
/// has 8 x 16 elements: 128 FFMA for 6 loads of 16 bytes, each of which takes 2 wavefronts, because
/// half a warp reads at once where neighbouring lanes agree, in their rows or in their columns.
/// @expect  global_load_requests = 0
/// @expect  bulk_copies = (1 + 1) * m * n * k / (128 * 256 * 32)
/// @expect  bulk_bytes = 4 * (m * k * n / 256 + k * n * m / 128)
/// @expect  global_store_requests = m * n / 32
/// @expect  shared_load_requests = m * n / 32
///            + (kThreadM + kThreadN) / 4 * m * n * k / 32 / (kThreadM * kThreadN)
///            + (kThreadM + kThreadN / 4) * m * n / 32 / (kThreadM * kThreadN)
/// @expect  shared_load_wavefronts = m * n / 32
///            + 2 * (kThreadM + kThreadN) / 4 * m * n * k / 32 / (kThreadM * kThreadN)
///            + 2 * (kThreadM + kThreadN / 4) * m * n / 32 / (kThreadM * kThreadN)
/// @expect  shared_store_wavefronts = m * n / 32
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory, a block for every tile;
///          A is described with boxes of kTileM x kSpan and the 128-byte swizzle, B with boxes of
///          kPanel x kTileN
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(int m, int n, int k, float alpha,          //
          const __grid_constant__ CUtensorMap A,     // [m, k]
          const __grid_constant__ CUtensorMap B,     // [k, n]
          float beta,                                //
          float* C, int ldc) {                       // [m, n]
  extern __shared__ __align__(1024) float stages[];  // [stage, A's panel then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  const int thread = threadIdx.x;
  const Place<S> place(thread);

  if (thread == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      ptx::mbarrier_init(&barriers.full[s], 1u);
      ptx::mbarrier_init(&barriers.empty[s], std::uint32_t{S::kWarps});
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();

  Ring<S> ring;
  const int tiles_m = (m + S::kTileM - 1) / S::kTileM;
  const int tiles_n = (n + S::kTileN - 1) / S::kTileN;
  const int tile = blockIdx.x;
  const int group = tile / (kGroupTiles * tiles_n);
  const int group_rows = min(kGroupTiles, tiles_m - group * kGroupTiles);
  const int in_group = tile - group * kGroupTiles * tiles_n;
  const int row0 = (group * kGroupTiles + in_group % group_rows) * S::kTileM;
  const int col0 = in_group / group_rows * S::kTileN;

  float sum[S::kThreadM][S::kThreadN] = {};
  multiply_panels<S>(sum, A, B, row0, col0, (k + S::kPanel - 1) / S::kPanel, place, stages,
                     barriers, ring);

  // Results go through shared memory, so that warps store whole rows whatever C's alignment.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i)
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += kVector)
      *reinterpret_cast<float4*>(stages + place.c_offset() + i * kLaneRows * S::kPitchC +
                                 j * kLaneCols) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
  __syncthreads();

#pragma unroll 1
  for (int e0 = thread; e0 < S::kTileFloats; e0 += S::kChunk * S::kThreads) {
    float total[S::kChunk] = {};
#pragma unroll
    for (int r = 0; r < S::kChunk; ++r) total[r] = staged_sum<S>(stages, e0 + r * S::kThreads);
#pragma unroll
    for (int r = 0; r < S::kChunk; ++r) {
      const int e = e0 + r * S::kThreads;
      store(C, m, n, ldc, row0 + e / S::kTileN, col0 + e % S::kTileN, alpha, total[r], beta);
    }
  }
}

using Large = Shape<8, 16, 128, 256, 32, 4>;

template <typename S>
int tile_count(const Sgemm& s) {
  return course::divide_up(s.m, S::kTileM) * course::divide_up(s.n, S::kTileN);
}

/// Floats of workspace.
inline std::size_t workspace_floats(const Sgemm& s) { return tma::copies_floats(s); }

template <typename S>
void launch_shape(const Sgemm& s, cudaStream_t stream) {
  float* workspace = s.workspace;
  CUtensorMap A{}, B{};
  const int k = s.used_k();
  if (k > 0) {
    const auto a = tma::aligned({s.A, s.lda}, s.m, k, workspace, stream);
    const auto b = tma::aligned({s.B, s.ldb}, k, s.n, workspace, stream);
    A = tma::describe(a, s.m, k, S::kTileM, kSpan, CU_TENSOR_MAP_SWIZZLE_128B);
    B = tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE);
  }
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<tile_count<S>(s), S::kThreads, S::kSharedBytes, stream>>>(s.m, s.n, k, s.alpha, A, B,
                                                                       s.beta, s.C, s.ldc);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  launch_shape<Large>(s, stream);
}

}  // namespace bulk_copies
