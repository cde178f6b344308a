#pragma once

#include "warpgroup.cuh"

namespace wgmma {

using namespace warpgroup;

using Small = TileShape<split::Halves, 128, 1>;

/// The same with wgmma, which reads A and B from shared memory itself; TMA brings them there.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     S::kMultipliers threads, S::kSharedBytes of dynamic shared memory, a block for every
///          tile; A and B are described with boxes of a tile's rows and a span
template <typename S>
__global__ void __launch_bounds__(S::kMultipliers)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,    // [m, spans]
          const __grid_constant__ CUtensorMap B) {  // [n, spans]
  extern __shared__ __align__(1024) unsigned char stage[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const Corner tile = {static_cast<int>(blockIdx.y) * S::kTileM,
                       static_cast<int>(blockIdx.x) * S::kTileN};

  float sum[S::kSums] = {};
  for (int span = 0; span < split::spans<typename S::Type>(product.k); ++span) {
    if (threadIdx.x == 0) request<S>(A, B, tile, span, stage, barriers.full);
    wait(barriers.full, span % 2);
    tensor::wgmma_fence(sum);
    multiply_span<S>(sum, {stage, static_cast<int>(threadIdx.x) / kGroupThreads}, true);
    tensor::wgmma_commit();
    tensor::wgmma_wait<0>(sum);
    __syncthreads();  // nobody reads the stage any more
  }
  store_sums<S>(product, tile, sum);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles<Small>(sgemm<Small>, Small::kMultipliers, s, stream);
}

}  // namespace wgmma
