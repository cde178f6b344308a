#pragma once

#include "07_registers.cuh"
#include "gemm.cuh"

namespace ring {

using namespace bf16;
using registers::get_many_registers, registers::keep_few_registers;

using Ringed = TileShape<128, 6>;

/// Returns the number of a thread's warpgroup. The shuffle tells the compiler that all lanes have
/// the same, so that what follows from it is kept once a warp.
__device__ inline int own_group() {
  return __shfl_sync(~0u, static_cast<int>(threadIdx.x) / kGroupThreads, 0);
}

/// Multiplies the panels of a tile as they arrive. The products of panel p are queued before those
/// of p - 1 are waited for, and then the stage of p - 1 is released.
template <typename S, typename Release>
__device__ inline void multiply_tile(float (&sum)[S::kSums], int panels,
                                     const unsigned char* stages, Barriers<S>& barriers,
                                     Ring<S>& ring, int group, Release release) {
  for (int panel = 0; panel < panels; ++panel, ring = ring.next()) {
    wait(&barriers.full[ring.slot], ring.parity);
    multiply_panel<S>(sum, stages + ring.slot * S::kStageBytes, group, panel > 0);
    wait_for_earlier_groups<1>();
    if (panel > 0) release(ring.previous().slot);
  }
  tensor::wgmma_wait<0>(sum);
  if (panels > 0) release(ring.previous().slot);
}

/// The work of a block with one tile of C: a warpgroup has the stages filled, two multiply.
template <typename S>
__device__ inline void multiply(const Gemm& g, const CUtensorMap& A, const CUtensorMap& B,
                                const Corner& tile) {
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const int panels = (g.k + kPanel - 1) / kPanel;
  Ring<S> ring;

  if (threadIdx.x >= S::kMultipliers) {
    keep_few_registers();
    if (threadIdx.x != S::kMultipliers) return;
    for (int panel = 0; panel < panels; ++panel, ring = ring.next()) {
      wait(&barriers.empty[ring.slot], ring.parity ^ 1);
      request<S>(A, B, tile, panel, stages + ring.slot * S::kStageBytes, &barriers.full[ring.slot]);
    }
    return;
  }

  get_many_registers();
  float sum[S::kSums] = {};
  multiply_tile<S>(sum, panels, stages, barriers, ring, own_group(), [&](int slot) {
    if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&barriers.empty[slot]);
  });
  store_from_registers<S>(g, tile, sum);
}

/// The same with a ring of stages, and a warpgroup that has them filled.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
/// @pre     as group_products::gemm, with S::kThreads threads
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B) {  // [k, n]
  multiply<S>(g, A, B,
              {static_cast<int>(blockIdx.y) * S::kTileM, static_cast<int>(blockIdx.x) * S::kTileN});
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  launch_tiles<Ringed>(gemm<Ringed>, Ringed::kThreads, g, stream);
}

}  // namespace ring
