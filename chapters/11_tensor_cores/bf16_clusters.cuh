#pragma once

/// @file
/// An idea that does not pay here: clusters of two blocks that share the columns of B.

#include <cooperative_groups.h>

#include "steps/18_bulk_store.cuh"
#include "steps/cluster.cuh"

namespace bf16_clusters {

using namespace bf16;
using bulk_store::store_boxes, bulk_store::wait_for_stores, registers::get_many_registers,
    registers::keep_few_registers, ring::multiply_tile, ring::own_group;

constexpr int kBlocks = 2;  // of a cluster, one above the other

template <int kTileN, int kStages, int kGroupTiles_>
struct Pair : bulk_store::StoredTile<kTileN, kStages> {
  static constexpr int kGroupTiles = kGroupTiles_;
};

/// Asks for a block's own rows of A, and for half of the boxes of B, for both blocks.
template <typename S>
__device__ inline void request_half(const CUtensorMap& A, const CUtensorMap& B, const Corner& tile,
                                    int panel, int rank, unsigned char* stage,
                                    std::uint64_t* full) {
  constexpr int kHalf = S::kBoxes / kBlocks;
  constexpr std::uint16_t kBoth = (1 << kBlocks) - 1;
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                 std::uint32_t{S::kStageBytes});
  const int at_a[] = {panel * kPanel, tile.row};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
#pragma unroll
  for (int i = 0; i < kHalf; ++i) {
    const int box = rank * kHalf + i, at_b[] = {tile.col + box * kBoxCols, panel * kPanel};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              stage + S::kBytesA + box * S::kBoxBytes, &B, at_b, full, kBoth);
  }
}

/// The same as bulk_store::gemm; a stage is empty when both blocks have read it. A copy that two
/// blocks get counts in both.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
/// @expect  bulk_stores = m * n / (64 * 64)
/// @pre     as bulk_store::gemm, in clusters of kBlocks
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1) __cluster_dims__(kBlocks, 1, 1)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B,    // [k, n]
         const __grid_constant__ CUtensorMap C) {  // [m, n]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(cluster.block_rank());
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      ptx::mbarrier_init(&barriers.full[s], std::uint32_t{1});
      ptx::mbarrier_init(&barriers.empty[s], std::uint32_t{S::kWarps * kBlocks});
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  const int pairs_m = (g.m + S::kTileM * kBlocks - 1) / (S::kTileM * kBlocks);
  const int pairs = pairs_m * tiles_n<S>(g), panels = (g.k + kPanel - 1) / kPanel;
  const auto tile_of = [&](int t) {
    const Corner pair = corner_of<S>(t, pairs_m, tiles_n<S>(g));
    return Corner{pair.row * kBlocks + rank * S::kTileM, pair.col};
  };
  const int first = blockIdx.x / kBlocks, step = gridDim.x / kBlocks;
  Ring<S> ring;
  if (threadIdx.x >= S::kMultipliers) {
    keep_few_registers();
    if (threadIdx.x == S::kMultipliers)
      for (int t = first; t < pairs; t += step)
        for (int panel = 0; panel < panels; ++panel, ring = ring.next()) {
          wait(&barriers.empty[ring.slot], ring.parity ^ 1);
          request_half<S>(A, B, tile_of(t), panel, rank, stages + ring.slot * S::kStageBytes,
                          &barriers.full[ring.slot]);
        }
    __syncwarp();
  } else {
    get_many_registers();
    const int group = own_group(), lane = threadIdx.x % kWarpSize;
    unsigned char* const results = stages + S::Base::kSharedBytes + group * S::kResultBytes;
    for (int t = first; t < pairs; t += step) {
      float sum[S::kSums] = {};
      multiply_tile<S>(sum, panels, stages, barriers, ring, group, [&](int slot) {
        if (lane < kBlocks) in_cluster::arrive(&barriers.empty[slot], lane);
      });
      store_boxes<S>(C, tile_of(t), group, sum, results);
    }
    wait_for_stores();
  }
  cluster.sync();  // the other block may still write here
}

template <typename S>
void launch_pairs(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  const int pairs = course::divide_up(g.m, S::kTileM * kBlocks) * tiles_n<S>(g);
  const int clusters = std::min(std::max(1, g.multiprocessors / kBlocks), pairs);
  launch_kernel<S>(gemm<S>, clusters * kBlocks, S::kThreads, S::kSharedBytes, g, stream,
                   describe(g.C, g.m, g.n, kGroupRows));
}

inline void launch(const Gemm& g, cudaStream_t stream) { launch_pairs<Pair<256, 4, 8>>(g, stream); }

}  // namespace bf16_clusters
