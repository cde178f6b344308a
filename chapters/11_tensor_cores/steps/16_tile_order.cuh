#pragma once

#include "15_wide_tile.cuh"

namespace tile_order {

using namespace bf16;
using wide_tile::Wide;

/// The same with another order of the tiles: those that are computed at a time form a patch of C,
/// and share rows of A and columns of B in the L2 cache.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
/// @pre     as ring::gemm, in a one-dimensional grid
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B) {  // [k, n]
  ring::multiply<S>(g, A, B, corner_of<S>(blockIdx.x, tiles_m<S>(g), tiles_n<S>(g)));
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_kernel<Wide>(gemm<Wide>, tile_count<Wide>(g), Wide::kThreads, Wide::kSharedBytes, g,
                      stream);
}

}  // namespace tile_order
