#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/ptx>

/// FFMA SGEMM whose tiles are fetched by the copy engine: the multiplying threads issue no load or
/// store for them. Build with `-Xptxas -O1`: the default level reorders the FFMA for a latency that
/// is hidden anyway, and loses more to register banks (NOTES.md: 44 against 52 TFLOP/s).
namespace slices {

namespace ptx = cuda::ptx;

// The lanes of a warp: 8 down, 4 across. A thread's rows are 8 apart; its columns are vectors, 16
// apart.
constexpr int kWarpSize = 32;
constexpr int kVector = 4;  // floats of one 16-byte access
constexpr int kLaneRows = 8;
constexpr int kLaneCols = 4;
constexpr int kSpan = 32;  // k of one box of A: 128 bytes of a row, what the swizzle permutes
constexpr int kSpanQuads = kSpan / kVector;
constexpr int kMaxChunk = 32;    // elements of C a thread finishes at a time
constexpr int kGroupTiles = 16;  // tile rows that are walked together, for the L2 cache

struct Problem {
  int m, n, k;
  float alpha, beta;
  float* C;  // [m, n]
  int ldc;
};

/// Who computes what: whole tiles are dealt out to the blocks in turn; the panels of k of the other
/// tiles are laid end to end and cut into equal shares, one a block.
struct Schedule {
  int tiles_m, tiles_n;
  int panels;       // of k, per tile: what one stage holds
  int whole_tiles;  // the first ones; the rest are split
};

/// Where the blocks leave their pieces of split tiles.
struct Workspace {
  float* pieces;      // [2 blocks, tile]
  unsigned* arrived;  // [tiles], zero between launches
  float* aligned[2];  // copies of A and B whose rows start on 16-byte boundaries
};

template <int kThreadRows_, int kThreadCols_, int kTileM_, int kTileN_, int kSlices_, int kPanel_,
          int kStages_>
struct Shape {
  static constexpr int kThreadRows = kThreadRows_, kThreadCols = kThreadCols_;
  static constexpr int kThreadVectors = kThreadCols / kVector;
  static constexpr int kTileM = kTileM_, kTileN = kTileN_;
  static constexpr int kSlices =
      kSlices_;  // groups of warps that share a tile, each with its part of k
  static constexpr int kPanel = kPanel_;  // k of one stage
  static constexpr int kStages = kStages_;

  static constexpr int kWarpM = kLaneRows * kThreadRows, kWarpN = kLaneCols * kThreadCols;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kWarps = kWarpsM * kWarpsN * kSlices;
  static constexpr int kThreads = kWarps * kWarpSize;
  static constexpr int kQuads = kPanel / kVector / kSlices;  // fours of k, per warp and panel

  static constexpr int kFloatsA = kTileM * kPanel;
  static constexpr int kStageFloats = kFloatsA + kPanel * kTileN;
  static constexpr int kTileFloats = kTileM * kTileN;
  static constexpr int kPitchC =
      kTileN + kLaneCols * kVector;  // padded: rows start in different banks
  static constexpr int kSliceFloatsC = kTileM * kPitchC;
  static constexpr int kSharedFloats = kStages * kStageFloats > kSlices* kSliceFloatsC
                                           ? kStages* kStageFloats
                                           : kSlices* kSliceFloatsC;
  static constexpr int kSharedBytes = kSharedFloats * sizeof(float);
  static constexpr int kChunk =
      kTileFloats / kThreads < kMaxChunk ? kTileFloats / kThreads : kMaxChunk;

  static_assert(kPanel % kSpan == 0 && kSpanQuads % kQuads == 0 &&
                kTileFloats % (kChunk * kThreads) == 0);
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
  /// Quad q of its slice lies in a row of A where the swizzle put it.
  __device__ int swizzled(int q) const {
    return (first_quad % kSpanQuads + q ^ lane_row) * kVector;
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

/// Asks the copy engine for one panel of A and of B; outside the matrices it delivers zeros.
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

__device__ inline float4 load(const float* shared) {
  return *reinterpret_cast<const float4*>(shared);
}
__device__ inline float element(const float4& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

template <typename S>
struct Fragments {
  float4 a[S::kThreadRows];        // [row]: four k
  float4 b[2][S::kThreadVectors];  // [k even or odd]: the columns
};

/// Multiplies four k; meanwhile loads the fragments the next four start with.
///
/// Back and forth along the rows: each FFMA shares an operand with the one before it, so it reads
/// two registers, and a scheduler's two banks deliver one each a cycle.
template <typename S>
__device__ __forceinline__ void multiply_quad(float (&acc)[S::kThreadRows][S::kThreadCols],
                                              Fragments<S>& f, const float* b, const float* next_a,
                                              const float* next_b) {
#pragma unroll
  for (int p = 0; p < kVector; ++p) {
    const float* b_row = p + 1 < kVector ? b + (p + 1) * S::kTileN : next_b;
#pragma unroll
    for (int j = 0; j < S::kThreadVectors; ++j)
      f.b[(p + 1) % 2][j] = load(b_row + j * kLaneCols * kVector);
#pragma unroll
    for (int i = 0; i < S::kThreadRows; ++i) {
#pragma unroll
      for (int step = 0; step < S::kThreadCols; ++step) {
        const int j = i % 2 ? S::kThreadCols - 1 - step : step;
        acc[i][j] += element(f.a[i], p) * element(f.b[p % 2][j / kVector], j % kVector);
      }
      if (p + 1 == kVector) f.a[i] = load(next_a + i * kLaneRows * kSpan);
    }
  }
}

/// Adds the product of a run of panels to acc.
template <typename S>
__device__ __forceinline__ void multiply_panels(float (&acc)[S::kThreadRows][S::kThreadCols],
                                                const CUtensorMap& A, const CUtensorMap& B, int row,
                                                int col, const Work& work, const Place<S>& place,
                                                float* stages, Barriers<S>& barriers,
                                                Ring<S>& ring) {
  if (work.count == 0) return;
  const auto request = [&](int panel, int slot) {
    request_panel<S>(A, B, row, col, (work.first + panel) * S::kPanel,
                     stages + slot * S::kStageFloats, &barriers.full[slot]);
  };
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < S::kStages - 1 && i < work.count; ++i)
      request(i, (ring.slot + i) % S::kStages);
  }

  const float* a_first = stages + place.a_offset();
  const float* b_first = stages + place.b_offset();
  Fragments<S> f;
  wait(&barriers.full[ring.slot], ring.parity);
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i)
    f.a[i] =
        load(a_first + ring.slot * S::kStageFloats + place.swizzled(0) + i * kLaneRows * kSpan);
#pragma unroll
  for (int j = 0; j < S::kThreadVectors; ++j)
    f.b[0][j] = load(b_first + ring.slot * S::kStageFloats + j * kLaneCols * kVector);

#pragma unroll 1
  for (int done = 0; done < work.count; ++done) {
    const float* a = a_first + ring.slot * S::kStageFloats;
    const float* b = b_first + ring.slot * S::kStageFloats;
#pragma unroll 1  // eight quads in a row are 70 KB of code: the instruction cache then costs 10 %
    for (int q = 0; q + 1 < S::kQuads; ++q) {
      const float* next_b = b + kVector * S::kTileN;
      multiply_quad<S>(acc, f, b, a + place.swizzled(q + 1), next_b);
      b = next_b;
    }

    // The warps take turns to refill the stage of the panel before this one.
    const int ahead = done + S::kStages - 1;
    if (place.warp == done % S::kWarps && place.lane == 0 && ahead < work.count) {
      const Ring<S> free = ring.previous();
      if (done > 0) wait(&barriers.empty[free.slot], free.parity);
      request(ahead, free.slot);
    }
    __syncwarp();
    const Ring<S> next = ring.next();
    if (done + 1 < work.count) wait(&barriers.full[next.slot], next.parity);
    multiply_quad<S>(acc, f, b, a_first + next.slot * S::kStageFloats + place.swizzled(0),
                     b_first + next.slot * S::kStageFloats);
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
__device__ inline float* piece_of(float* pieces, int block, bool starts_tile) {
  return pieces + (2LL * block + starts_tile) * S::kTileFloats;
}

template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(const __grid_constant__ CUtensorMap A,  // [m, k]
          const __grid_constant__ CUtensorMap B,  // [k, n]
          const Problem problem, const Schedule schedule, const Workspace workspace) {
  extern __shared__ __align__(
      1024) float stages[];  // [stage, A's panel then B's]; later the tile of C
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

    float acc[S::kThreadRows][S::kThreadCols] = {};
    multiply_panels<S>(acc, A, B, row0, col0, work, place, stages, barriers, ring);

    // Results go through shared memory, so that warps store whole rows whatever C's alignment.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
      for (int j = 0; j < S::kThreadCols; j += kVector)
        *reinterpret_cast<float4*>(stages + place.c_offset() + i * kLaneRows * S::kPitchC +
                                   j * kLaneCols) =
            make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
    ptx::fence_proxy_async(ptx::space_shared);  // before the copy engine writes there again
    __syncthreads();

    const bool split = work.count < schedule.panels;
    const int tile_panel =
        (work.tile - schedule.whole_tiles) * schedule.panels;  // the first of this tile
    const int first_block = split ? block_of(split_panels, tile_panel) : 0;
    const int last_block = split ? block_of(split_panels, tile_panel + schedule.panels - 1) : 0;
    if (split) {
      float* piece = piece_of<S>(workspace.pieces, blockIdx.x, work.first == 0);
#pragma unroll 8
      for (int e = thread; e < S::kTileFloats; e += S::kThreads)
        __stcg(piece + e, staged_sum<S>(stages, e));
      __threadfence();
      __syncthreads();
      if (thread == 0) {
        is_last = atomicAdd(&workspace.arrived[work.tile], 1u) ==
                  static_cast<unsigned>(last_block - first_block);
        if (is_last) workspace.arrived[work.tile] = 0;
        __threadfence();
      }
      __syncthreads();
      if (!is_last) continue;  // whoever arrives last adds the pieces up, always in the same order
    }

#pragma unroll 1
    for (int e0 = thread; e0 < S::kTileFloats; e0 += S::kChunk * S::kThreads) {
      float sum[S::kChunk] = {};
      if (split) {
#pragma unroll 1
        for (int block = first_block; block <= last_block; ++block) {
          const float* piece = piece_of<S>(workspace.pieces, block, block == first_block);
#pragma unroll
          for (int r = 0; r < S::kChunk; ++r) sum[r] += __ldcg(piece + e0 + r * S::kThreads);
        }
      } else {
#pragma unroll
        for (int r = 0; r < S::kChunk; ++r) sum[r] = staged_sum<S>(stages, e0 + r * S::kThreads);
      }
#pragma unroll
      for (int r = 0; r < S::kChunk; ++r) {
        const int e = e0 + r * S::kThreads;
        const int row = row0 + e / S::kTileN;
        const int col = col0 + e % S::kTileN;
        if (row >= problem.m || col >= problem.n) continue;
        float& result = problem.C[static_cast<long long>(row) * problem.ldc + col];
        result = problem.beta == 0.0f ? problem.alpha * sum[r]
                                      : problem.alpha * sum[r] + problem.beta * result;
      }
    }
    __syncthreads();
  }
}

/// Copies a matrix into rows that start on 16-byte boundaries, as the copy engine wants them.
__global__ void align_rows(int rows, int cols, const float* in, int ld, float* out, int ld_out) {
  for (int row = blockIdx.y; row < rows; row += gridDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < cols; col += gridDim.x * blockDim.x)
      out[static_cast<long long>(row) * ld_out + col] = in[static_cast<long long>(row) * ld + col];
}

}  // namespace slices
