#pragma once

#include "gemm.cuh"

namespace group_products {

using namespace bf16;
using Square = TileShape<128, 1>;

/// The same: a warpgroup multiplies straight from shared memory, which TMA fills.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
/// @pre     S::kMultipliers threads, a block for every tile; A and B described in boxes of 64
///          columns and of kTileM or 64 rows
template <typename S>
__global__ void __launch_bounds__(S::kMultipliers)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B) {  // [k, n]
  extern __shared__ __align__(1024) unsigned char stage[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const Corner tile = {static_cast<int>(blockIdx.y) * S::kTileM,
                       static_cast<int>(blockIdx.x) * S::kTileN};
  const int group = threadIdx.x / kGroupThreads;
  float sum[S::kSums] = {};
  for (int panel = 0; panel * kPanel < g.k; ++panel) {
    if (threadIdx.x == 0) request<S>(A, B, tile, panel, stage, barriers.full);
    wait(barriers.full, panel % 2);
    multiply_panel<S>(sum, stage, group, true);
    tensor::wgmma_wait<0>(sum);
    __syncthreads();  // nobody reads the stage any more
  }
  store_from_registers<S>(g, tile, sum);
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  launch_tiles<Square>(gemm<Square>, Square::kMultipliers, g, stream);
}

}  // namespace group_products
