#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cuda/ptx>
#include <utility>

#include "12_slices.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"
#include "tma.cuh"

namespace even_shares {

namespace ptx = cuda::ptx;

// The lanes of a warp: 8 down, 4 across. A thread's rows are 8 apart; its columns are vectors, 16
// apart.
constexpr int kWarpSize = 32;
constexpr int kVector = 4;  // floats of one 16-byte access
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
  static constexpr int kChunk = std::min(kTileFloats / kThreads, kMaxChunk);

  static_assert(kPanel % kSpan == 0 && kSpanQuads % kQuads == 0 &&
                kTileFloats % (kChunk * kThreads) == 0);
};

/// Who computes what: whole tiles are dealt out to the blocks in turn; the panels of the other
/// tiles are laid end to end and cut into equal shares, one a block.
struct Schedule {
  int tiles_m, tiles_n;
  int panels;       // of k, per tile
  int whole_tiles;  // the first ones; the rest are split
};

/// Where the blocks leave their pieces of split tiles.
struct Pieces {
  float* sums;        // [2 blocks, tile]
  unsigned* arrived;  // [tiles], zero between launches
};

/// A run of panels of one tile.
struct Work {
  int tile, first, count;
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
  __device__ int b_offset() const { return S::kFloatsA + first_quad * kVector * S::kTileN + col; }
  __device__ int c_offset() const {
    return first_quad / S::kQuads * S::kSliceFloatsC + row * S::kPitchC + col;
  }
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

/// Adds the product of a run of panels to `sum`.
template <typename S>
__device__ __forceinline__ void multiply_panels(float (&sum)[S::kThreadM][S::kThreadN],
                                                const CUtensorMap& A, const CUtensorMap& B, int row,
                                                int col, const Work& work, const Place<S>& place,
                                                float* stages, Barriers<S>& barriers,
                                                Ring<S>& ring) {
  if (work.count == 0) return;
  // A new barrier counts as one whose phase of parity 1 is over.
  const auto request = [&](int panel, const Ring<S>& last_use) {
    wait(&barriers.empty[last_use.slot], last_use.parity);
    request_panel<S>(A, B, row, col, (work.first + panel) * S::kPanel,
                     stages + last_use.slot * S::kStageFloats, &barriers.full[last_use.slot]);
  };
  if (threadIdx.x == 0) {
    Ring<S> last_use = {ring.slot, ring.parity ^ 1};
#pragma unroll 1
    for (int i = 0; i < S::kStages - 1 && i < work.count; ++i, last_use = last_use.next())
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
  for (int done = 0; done < work.count; ++done) {
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
    if (place.warp == done % S::kWarps && place.lane == 0 && ahead < work.count)
      request(ahead, ring.previous());
    __syncwarp();
    const Ring<S> next = ring.next();
    const bool at_end = done + 1 == work.count;
    if (!at_end) wait(&barriers.full[next.slot], next.parity);
    const int next_slot = at_end ? ring.slot : next.slot;  // the last one's loads are not used
    multiply_quad<S>(sum, f, b, a_first + next_slot * S::kStageFloats + place.swizzled(0),
                     b_first + next_slot * S::kStageFloats);
    __syncwarp();
    if (place.lane == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
    ring = next;
  }
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

/// Where block `block`'s share of the split tiles' panels begins.
__device__ inline int share_begin(int split_panels, int block) {
  return static_cast<int>(static_cast<long long>(split_panels) * block / gridDim.x);
}
/// Which block has that panel.
__device__ inline int block_of(int split_panels, int panel) {
  return static_cast<int>(((panel + 1LL) * gridDim.x - 1) / split_panels);
}

/// The block's next piece of work: its whole tiles first, then its share of the split ones.
__device__ inline bool take(const Schedule& schedule, int& whole, int& cursor, int end,
                            Work& work) {
  if (whole < schedule.whole_tiles) {
    work = {whole, 0, schedule.panels};
    whole += gridDim.x;
    return true;
  }
  if (cursor >= end) return false;
  const int first = cursor % schedule.panels;
  work = {schedule.whole_tiles + cursor / schedule.panels, first,
          min(end - cursor, schedule.panels - first)};
  cursor += work.count;
  return true;
}

/// Where a block leaves its piece of a tile: it has at most one that starts a tile and one that
/// does not.
template <typename S>
__device__ inline float* piece_of(float* sums, int block, bool starts_tile) {
  return sums + (2LL * block + starts_tile) * S::kTileFloats;
}

/// The same with even shares: where the tiles do not fill the last round of blocks, those of the
/// last rounds are cut along k, so that every block has the same to do.
///
/// The pieces of a tile meet in global memory. Whoever arrives last adds them up, always in the
/// order of the blocks: nobody waits, and the result does not depend on who was last.
/// @expect  global_load_requests = pieces * kTileM * kTileN / 32
/// @expect  global_atomic_requests = pieces
/// @expect  bulk_copies = (kPanel / 32 + 1) * m * n * k / (kTileM * kTileN * kPanel)
/// @expect  bulk_bytes = 4 * (m * k * n / kTileN + k * n * m / kTileM)
/// @expect  global_store_requests = (m * n + pieces * kTileM * kTileN) / 32
///            + m * n / (kTileM * kTileN)
/// @expect  shared_store_wavefronts = pieces * (kSlices * kTileM * kTileN / 32 + 1)
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory, the schedule's blocks;
///          A is described with boxes of kTileM x kSpan and the 128-byte swizzle, B with boxes of
///          kPanel x kTileN. The figures are those of a schedule that splits all tiles
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(int m, int n, float alpha,              //
          const __grid_constant__ CUtensorMap A,  // [m, k]
          const __grid_constant__ CUtensorMap B,  // [k, n]
          float beta,                             //
          float* C, int ldc,                      // [m, n]
          const Schedule schedule, const Pieces pieces) {
  extern __shared__ __align__(1024) float stages[];  // [stage, A's panel then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  __shared__ bool is_last;
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
  const int split_panels =
      (schedule.tiles_m * schedule.tiles_n - schedule.whole_tiles) * schedule.panels;
  int whole = blockIdx.x, cursor = share_begin(split_panels, blockIdx.x);
  for (Work work; take(schedule, whole, cursor, share_begin(split_panels, blockIdx.x + 1), work);) {
    const int group = work.tile / (kGroupTiles * schedule.tiles_n);
    const int group_rows = min(kGroupTiles, schedule.tiles_m - group * kGroupTiles);
    const int in_group = work.tile - group * kGroupTiles * schedule.tiles_n;
    const int row0 = (group * kGroupTiles + in_group % group_rows) * S::kTileM;
    const int col0 = in_group / group_rows * S::kTileN;

    float sum[S::kThreadM][S::kThreadN] = {};
    multiply_panels<S>(sum, A, B, row0, col0, work, place, stages, barriers, ring);

    // Results go through shared memory, so that warps store whole rows whatever C's alignment.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < S::kThreadN; j += kVector)
        *reinterpret_cast<float4*>(stages + place.c_offset() + i * kLaneRows * S::kPitchC +
                                   j * kLaneCols) =
            make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    ptx::fence_proxy_async(ptx::space_shared);  // before TMA writes there again
    __syncthreads();

    const bool split = work.count < schedule.panels;
    const int tile_panel = (work.tile - schedule.whole_tiles) * schedule.panels;  // its first
    const int first_block = split ? block_of(split_panels, tile_panel) : 0;
    const int last_block = split ? block_of(split_panels, tile_panel + schedule.panels - 1) : 0;
    if (split) {
      float* piece = piece_of<S>(pieces.sums, blockIdx.x, work.first == 0);
#pragma unroll 8
      for (int e = thread; e < S::kTileFloats; e += S::kThreads)
        __stcg(piece + e, staged_sum<S>(stages, e));
      __threadfence();
      __syncthreads();
      if (thread == 0) {
        is_last = atomicAdd(&pieces.arrived[work.tile], 1u) ==
                  static_cast<unsigned>(last_block - first_block);
        if (is_last) pieces.arrived[work.tile] = 0;
        __threadfence();
      }
      __syncthreads();
      if (!is_last) continue;  // whoever arrives last adds the pieces up, always in the same order
    }

#pragma unroll 1
    for (int e0 = thread; e0 < S::kTileFloats; e0 += S::kChunk * S::kThreads) {
      float total[S::kChunk] = {};
      if (split) {
#pragma unroll 1
        for (int block = first_block; block <= last_block; ++block) {
          const float* piece = piece_of<S>(pieces.sums, block, block == first_block);
#pragma unroll
          for (int r = 0; r < S::kChunk; ++r) total[r] += __ldcg(piece + e0 + r * S::kThreads);
        }
      } else {
#pragma unroll
        for (int r = 0; r < S::kChunk; ++r) total[r] = staged_sum<S>(stages, e0 + r * S::kThreads);
      }
#pragma unroll
      for (int r = 0; r < S::kChunk; ++r) {
        const int e = e0 + r * S::kThreads;
        store(C, m, n, ldc, row0 + e / S::kTileN, col0 + e % S::kTileN, alpha, total[r], beta);
      }
    }
    __syncthreads();
  }
}

using Large = Shape<8, 16, 128, 256, 1, 32, 3>;
using Medium = Shape<8, 16, 128, 64, 4, 64, 4>;

constexpr int kPieceK = 400;  // a piece of a tile costs about as much time as so many k

template <typename S>
int tile_count(const Sgemm& s) {
  return course::divide_up(s.m, S::kTileM) * course::divide_up(s.n, S::kTileN);
}

/// Whether even shares are faster than whole tiles, with which multiprocessors wait for others.
template <typename S>
bool splitting_pays(const Sgemm& s) {
  const double rounds = 1.0 * tile_count<S>(s) / s.multiprocessors;
  const double waited_k = (std::ceil(rounds) - rounds) * s.used_k();
  const double pieces_per_tile = std::max(1.0, 1.0 / rounds);
  return waited_k > kPieceK * pieces_per_tile;
}

/// Calls split(shape) where splitting tiles pays, else whole().
template <typename Split, typename Whole>
auto where_it_pays(const Sgemm& s, Split split, Whole whole) {
  if (tile_count<Large>(s) >= s.multiprocessors * 3 / 4)
    return splitting_pays<Large>(s) ? split(Large{}) : whole();
  return splitting_pays<Medium>(s) ? split(Medium{}) : whole();
}

/// A schedule and the number of blocks that it is for.
template <typename S>
std::pair<Schedule, int> schedule_of(const Sgemm& s) {
  const int tiles = tile_count<S>(s);
  Schedule schedule = {course::divide_up(s.m, S::kTileM), course::divide_up(s.n, S::kTileN),
                       course::divide_up(s.used_k(), S::kPanel), tiles};
  const int blocks = std::min<long long>(s.multiprocessors, 1LL * tiles * schedule.panels);
  // One whole round less than would fit: shares of one to two tiles, so few tiles are cut often.
  schedule.whole_tiles = std::max(0, tiles / blocks - 1) * blocks;
  return {schedule, blocks};
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  const auto pieces = [&]<typename S>(S) {
    return std::size_t(2) * schedule_of<S>(s).second * S::kTileFloats + tile_count<S>(s);
  };
  return tma::copies_floats(s) + where_it_pays(s, pieces, [] { return std::size_t(0); });
}

template <typename S>
void launch_split(const Sgemm& s, cudaStream_t stream) {
  float* workspace = s.workspace;
  const int k = s.used_k();
  const auto a = tma::aligned({s.A, s.lda}, s.m, k, workspace, stream);
  const auto b = tma::aligned({s.B, s.ldb}, k, s.n, workspace, stream);
  const CUtensorMap A = tma::describe(a, s.m, k, S::kTileM, kSpan, CU_TENSOR_MAP_SWIZZLE_128B);
  const CUtensorMap B = tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE);
  const auto [schedule, blocks] = schedule_of<S>(s);
  float* const arrived = workspace + std::size_t(2) * blocks * S::kTileFloats;
  const Pieces pieces = {workspace, reinterpret_cast<unsigned*>(arrived)};
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<blocks, S::kThreads, S::kSharedBytes, stream>>>(s.m, s.n, s.alpha, A, B, s.beta, s.C,
                                                             s.ldc, schedule, pieces);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  where_it_pays(
      s, [&]<typename S>(S) { launch_split<S>(s, stream); }, [&] { slices::launch(s, stream); });
}

}  // namespace even_shares
