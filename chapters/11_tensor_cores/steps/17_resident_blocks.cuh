#pragma once

#include "16_tile_order.cuh"

namespace resident_blocks {

using namespace bf16;
using wide_tile::Wide, registers::get_many_registers, registers::keep_few_registers,
    ring::multiply_tile, ring::own_group;

/// Calls use(corner) for this block's tiles.
template <typename S, typename Problem, typename Use>
__device__ inline void for_own_tiles(const Problem& g, Use use) {
  for (int t = blockIdx.x; t < tile_count<S>(g); t += gridDim.x)
    use(corner_of<S>(t, tiles_m<S>(g), tiles_n<S>(g)));
}

/// Has the stages filled for all of this block's tiles. One thread of the warpgroup asks for them.
template <typename S>
__device__ inline void request_tiles(const Gemm& g, const CUtensorMap& A, const CUtensorMap& B,
                                     unsigned char* stages, Barriers<S>& barriers) {
  keep_few_registers();
  if (threadIdx.x != S::kMultipliers) return;
  Ring<S> ring;
  for_own_tiles<S>(g, [&](const Corner& tile) {
    for (int panel = 0; panel * kPanel < g.k; ++panel, ring = ring.next()) {
      wait(&barriers.empty[ring.slot], ring.parity ^ 1);
      request<S>(A, B, tile, panel, stages + ring.slot * S::kStageBytes, &barriers.full[ring.slot]);
    }
  });
}

/// Multiplies this block's tiles and calls store(corner, sum) for each: the two other warpgroups.
template <typename S, typename Store>
__device__ inline void multiply_tiles(const Gemm& g, const unsigned char* stages,
                                      Barriers<S>& barriers, Store store) {
  get_many_registers();
  const int group = own_group(), panels = (g.k + kPanel - 1) / kPanel;
  const auto release = [&](int slot) {
    if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&barriers.empty[slot]);
  };
  Ring<S> ring;
  for_own_tiles<S>(g, [&](const Corner& tile) {
    float sum[S::kSums] = {};
    multiply_tile<S>(sum, panels, stages, barriers, ring, group, release);
    store(tile, sum);
  });
}

/// The same with a block for each multiprocessor; the next tile is loaded while one is stored.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
/// @pre     as ring::gemm, with any number of blocks
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B) {  // [k, n]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  if (threadIdx.x >= S::kMultipliers)
    request_tiles<S>(g, A, B, stages, barriers);
  else
    multiply_tiles<S>(g, stages, barriers, [&](const Corner& tile, const float(&sum)[S::kSums]) {
      store_from_registers<S>(g, tile, sum);
    });
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_kernel<Wide>(gemm<Wide>, std::min(g.multiprocessors, tile_count<Wide>(g)), Wide::kThreads,
                      Wide::kSharedBytes, g, stream);
}

}  // namespace resident_blocks
