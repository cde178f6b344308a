#pragma once

#include <cmath>
#include <utility>

#include "15_slices.cuh"
#include "last_block.cuh"

namespace even_shares {

using namespace pipeline;
using last_block::arrives_last, last_block::kMostBlocks;
using slices::Large, slices::Medium;

/// Who computes what: whole tiles are dealt out to the blocks in turn; the panels of the other
/// tiles are laid end to end and cut into equal shares, one a block.
struct Schedule {
  int tiles_m, tiles_n;
  int panels;       // of k, per tile
  int last_quads;   // fours of k in the last of them
  int whole_tiles;  // the first ones; the rest are split

  __device__ int split_panels() const { return (tiles_m * tiles_n - whole_tiles) * panels; }
};

/// A run of panels of one tile.
struct Work {
  int tile, first, count;
};

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

constexpr int kMostSplitTiles = 2 * kMostBlocks;  // a block's share is less than two tiles

/// The pieces of split tiles, which meet in global memory.
///
/// The counters stand first in the workspace, and how many there are does not depend on the shape:
/// what a product of one shape leaves there is never another one's counter.
struct Pieces {
  unsigned* arrived;  // [kMostSplitTiles], zero between launches
  float* sums;        // [2 blocks, tile]

  /// Whether this block is the last to leave a piece of the split tile; blocks `first` to `last`
  /// do.
  template <typename S>
  __device__ bool are_complete(int tile, int first, int last) const {
    return arrives_last(&arrived[tile], last - first + 1);
  }
  /// Adds up the pieces, always in the order of the blocks: the elements that begin with e.
  template <typename S>
  __device__ void add_up(float (&total)[S::kChunk], int first, int last, int e) const {
#pragma unroll 1
    for (int block = first; block <= last; ++block) {
      const float* piece = piece_of<S>(sums, block, block == first);
#pragma unroll
      for (int r = 0; r < S::kChunk; ++r) total[r] += __ldcg(piece + e + r * S::kThreads);
    }
  }
};

/// Calls work_on(work) for the block's share: whole tiles first, then its part of the split ones.
template <typename WorkOn>
__device__ __forceinline__ void for_share(const Schedule& schedule, const WorkOn& work_on) {
  const int split_panels = schedule.split_panels();
  int whole = blockIdx.x, cursor = share_begin(split_panels, blockIdx.x);
  for (Work work; take(schedule, whole, cursor, share_begin(split_panels, blockIdx.x + 1), work);)
    work_on(work);
}

/// Stores a tile whose sums are staged, or leaves a piece of it; whoever brings the last piece adds
/// them up and stores.
template <typename S, typename SomePieces>
__device__ __forceinline__ void finish(float* C, int m, int n, int ldc, const Corner& tile,
                                       float alpha, float beta, const float* staged,
                                       const Schedule& schedule, const Work& work,
                                       const SomePieces& pieces) {
  const bool split = work.count < schedule.panels;
  const int split_panels = schedule.split_panels();
  const int tile_panel = (work.tile - schedule.whole_tiles) * schedule.panels;  // its first
  const int first_block = split ? block_of(split_panels, tile_panel) : 0;
  const int last_block = split ? block_of(split_panels, tile_panel + schedule.panels - 1) : 0;
  if (split) {
    float* piece = piece_of<S>(pieces.sums, blockIdx.x, work.first == 0);
#pragma unroll 8
    for (int e = threadIdx.x; e < S::kTileFloats; e += S::kThreads)
      __stcg(piece + e, staged_sum<S>(staged, e));
    const int split_tile = work.tile - schedule.whole_tiles;
    if (!pieces.template are_complete<S>(split_tile, first_block, last_block)) return;
  }

  store_chunks<S>(C, m, n, ldc, tile, alpha, beta, [&](float(&total)[S::kChunk], int e) {
    if (split)
      pieces.template add_up<S>(total, first_block, last_block, e);
    else
      read_staged<S>(total, staged, e);
  });
  __syncthreads();
}

/// What a block does with its share: request(corner, panel, stage, barrier) asks for a panel of the
/// tile that begins there.
template <typename S, typename Request, typename SomePieces>
__device__ __forceinline__ void compute_share(int m, int n, float alpha, const Request& request,
                                              float beta, float* C, int ldc,
                                              const Schedule& schedule, const SomePieces& pieces) {
  extern __shared__ __align__(1024) float stages[];  // [stage, A's panel then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  const Place<S> place(threadIdx.x);
  set_up(barriers);

  Ring<S> ring;
  for_share(schedule, [&](const Work& work) {
    const Corner tile = corner_of<S>(work.tile, schedule.tiles_m, schedule.tiles_n);
    float sum[S::kThreadM][S::kThreadN] = {};
    multiply_panels<S>(
        sum, work.count, place, stages, barriers, ring,
        [&](int panel, float* stage, std::uint64_t* full) {
          request(tile, work.first + panel, stage, full);
        },
        work.first + work.count == schedule.panels ? place.own_quads(schedule.last_quads)
                                                   : S::kQuads);
    const bool split = work.count < schedule.panels;
    const bool is_whole =
        is_inside(m, n, tile.row, tile.col, S::kTileM, S::kTileN) && is_aligned(C, ldc);
    if (!S::kStagesSums && !split && is_whole)
      return store_from_registers<S>(Untested{}, C, m, n, ldc, tile, place, alpha, sum, beta);
    __syncthreads();
    stage_sums<S>(sum, place, stages);
    ptx::fence_proxy_async(ptx::space_shared);  // before TMA writes there again
    __syncthreads();
    finish<S>(C, m, n, ldc, tile, alpha, beta, stages, schedule, work, pieces);
  });
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
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, float alpha,              //
          const __grid_constant__ CUtensorMap A,  // [m, k]
          const __grid_constant__ CUtensorMap B,  // [k, n]
          float beta,                             //
          float* C, int ldc,                      // [m, n]
          const Schedule schedule, const Pieces pieces) {
  compute_share<S>(
      m, n, alpha,
      [&](const Corner& tile, int panel, float* stage, std::uint64_t* full) {
        request_panel<S>(A, B, tile.row, tile.col, panel * S::kPanel, stage, full);
      },
      beta, C, ldc, schedule, pieces);
}

constexpr int kPieceK = 400;  // a piece of a tile costs as much time as this many steps of k

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

/// A schedule of whole tiles.
template <typename S>
Schedule cut_into_tiles(const Sgemm& s) {
  const int panels = course::divide_up(s.used_k(), S::kPanel);
  const int last_k = s.used_k() - (panels - 1) * S::kPanel;
  return {course::divide_up(s.m, S::kTileM), course::divide_up(s.n, S::kTileN), panels,
          course::divide_up(last_k, kVector), tile_count<S>(s)};
}

/// A schedule and the number of blocks that it is for.
template <typename S>
std::pair<Schedule, int> schedule_of(const Sgemm& s) {
  const int tiles = tile_count<S>(s);
  Schedule schedule = cut_into_tiles<S>(s);
  const int slots = std::min(s.multiprocessors, kMostBlocks);
  const int blocks = std::min<long long>(slots, 1LL * tiles * schedule.panels);
  // One whole round less than would fit: shares of one to two tiles, so few tiles are cut often.
  schedule.whole_tiles = std::max(0, tiles / blocks - 1) * blocks;
  return {schedule, blocks};
}

/// Floats of workspace where tiles are split. The counters are zero before the first launch.
template <typename S>
std::size_t split_floats(const Sgemm& s) {
  return kMostSplitTiles + tma::copies_floats(s) +
         std::size_t(2) * schedule_of<S>(s).second * S::kTileFloats;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  const auto split = [&]<typename S>(S) { return split_floats<S>(s); };
  return where_it_pays(s, split, [&] { return kMostSplitTiles + tma::copies_floats(s); });
}

/// The same problem with what its workspace has behind the counters.
inline Sgemm behind_counters(Sgemm s) {
  s.workspace += kMostSplitTiles;
  return s;
}

template <typename S>
void launch_split(const Sgemm& s, cudaStream_t stream) {
  float* workspace = behind_counters(s).workspace;
  const auto [A, B] = describe_operands<S>(s, workspace, stream);
  const auto [schedule, blocks] = schedule_of<S>(s);
  const Pieces pieces = {reinterpret_cast<unsigned*>(s.workspace), workspace};
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<blocks, S::kThreads, S::kSharedBytes, stream>>>(s.m, s.n, s.alpha, A, B, s.beta, s.C,
                                                             s.ldc, schedule, pieces);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  where_it_pays(
      s, [&]<typename S>(S) { launch_split<S>(s, stream); },
      [&] { slices::launch(behind_counters(s), stream); });
}

}  // namespace even_shares
