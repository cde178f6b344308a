#pragma once

/// @file
/// An idea that does not pay here: clusters of two blocks that share the columns of B.

#include <cooperative_groups.h>

#include "steps/10_fitting_tiles.cuh"
#include "steps/cluster.cuh"

namespace clusters {

namespace ptx = cuda::ptx;
using namespace warpgroup;
using longer_pieces::even_spans, promotion::promote, registers::get_many_registers,
    registers::keep_few_registers;

constexpr unsigned kBlocks = 2;  // of a cluster, one above the other

/// Asks for a block's own rows of A, and for half of the columns of B, for both blocks.
template <typename S>
__device__ inline void request_half(const CUtensorMap& A, const CUtensorMap& B, const Corner& tile,
                                    int span, unsigned rank, unsigned char* stage,
                                    std::uint64_t* full) {
  constexpr int kWords = split::kSpanBytes / sizeof(float), kCols = S::kTileN / kBlocks;
  constexpr std::uint16_t kBoth = (1 << kBlocks) - 1;
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                 std::uint32_t{S::kStageBytes});
  const int first_col = static_cast<int>(rank) * kCols;
  const int at_a[] = {span * kWords, tile.row}, at_b[] = {span * kWords, tile.col + first_col};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                            stage + S::kBytesA + first_col * split::kSpanBytes, &B, at_b, full,
                            kBoth);
}

/// The persistent kernel; a stage is empty when both blocks have read it.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = (1 + 2) * m * n * k / (128 * kTileN * 32)
/// @expect  bulk_bytes = 4 * (m * k * n / kTileN + k * n * m / 128)
/// @pre     as persistent::sgemm, in clusters of kBlocks; B is described with boxes of half a tile
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1) __cluster_dims__(kBlocks, 1, 1)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,    // [m, spans]
          const __grid_constant__ CUtensorMap B) {  // [n, spans]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      ptx::mbarrier_init(&barriers.full[s], std::uint32_t{1});
      ptx::mbarrier_init(&barriers.empty[s], std::uint32_t{S::kWarps * kBlocks});
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  const int tiles_m = (product.m + S::kTileM * kBlocks - 1) / (S::kTileM * kBlocks);
  const int tiles_n = (product.n + S::kTileN - 1) / S::kTileN;
  const int spans = even_spans<S>(product.k);
  const auto tile_of = [&](int t) {
    const Corner pair = corner_of<S>(t, tiles_m, tiles_n);
    return Corner{pair.row * static_cast<int>(kBlocks) + static_cast<int>(rank) * S::kTileM,
                  pair.col};
  };
  const int first = blockIdx.x / kBlocks, step = gridDim.x / kBlocks;
  Ring<S> ring;

  if (threadIdx.x >= S::kMultipliers) {
    keep_few_registers();
    if (threadIdx.x == S::kMultipliers) {
      for (int t = first; t < tiles_m * tiles_n; t += step)
        for (int span = 0; span < spans; ++span, ring = ring.next()) {
          wait(&barriers.empty[ring.slot], ring.parity ^ 1);
          request_half<S>(A, B, tile_of(t), span, rank, stages + ring.slot * S::kStageBytes,
                          &barriers.full[ring.slot]);
        }
    }
    __syncwarp();
  } else {
    get_many_registers();
    const unsigned lane = threadIdx.x % kWarpSize;
    for (int t = first; t < tiles_m * tiles_n; t += step) {
      float sum[S::kSums] = {};
      for (int span = 0; span < spans; span += 2) {
        float part[S::kSums];
        const auto release = [&](int slot) {
          if (lane < kBlocks) in_cluster::arrive(&barriers.empty[slot], lane);
        };
        longer_pieces::multiply_piece<S>(part, stages, barriers, ring, release);
        promote(sum, part);
      }
      store_sums<S>(product, tile_of(t), sum);
    }
  }
  cluster.sync();  // the other block may still write here
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  using S = fitting_tiles::Wide<split::Halves>;
  if (s.m == 0 || s.n == 0) return;
  const split::Parts parts = split::parts_of(s);
  split::launch(s, parts, stream);
  const int pairs = course::divide_up(s.m, S::kTileM * static_cast<int>(kBlocks)) *
                    course::divide_up(s.n, S::kTileN);
  const int blocks = std::min(std::max(1, s.multiprocessors / static_cast<int>(kBlocks)), pairs);
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<blocks * kBlocks, S::kThreads, S::kSharedBytes, stream>>>(
      product_of(s, parts), describe<S>(parts.a, s.m, s.used_k(), S::kTileM),
      describe<S>(parts.b, s.n, s.used_k(), S::kTileN / kBlocks));
}

}  // namespace clusters
