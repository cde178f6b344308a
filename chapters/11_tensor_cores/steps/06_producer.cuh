#pragma once

#include "05_promotion.cuh"

namespace producer {

using namespace warpgroup;
using promotion::promote;

using Ringed = TileShape<split::Halves, 192, 5>;

/// The same with a ring of stages, and a warp of its own that has them filled.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as wgmma::sgemm, with a warp more
template <typename S>
__global__ void __launch_bounds__(S::kMultipliers + kWarpSize, 1)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,    // [m, spans]
          const __grid_constant__ CUtensorMap B) {  // [n, spans]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const Corner tile = {static_cast<int>(blockIdx.y) * S::kTileM,
                       static_cast<int>(blockIdx.x) * S::kTileN};
  const int spans = split::spans<typename S::Type>(product.k);
  Ring<S> ring;

  if (threadIdx.x >= S::kMultipliers) {
    if (threadIdx.x != S::kMultipliers) return;
    for (int span = 0; span < spans; ++span, ring = ring.next()) {
      wait(&barriers.empty[ring.slot], ring.parity ^ 1);
      request<S>(A, B, tile, span, stages + ring.slot * S::kStageBytes, &barriers.full[ring.slot]);
    }
    return;
  }

  const int group = threadIdx.x / kGroupThreads;
  float sum[S::kSums] = {};
  for (int span = 0; span < spans; ++span, ring = ring.next()) {
    float part[S::kSums];
    wait(&barriers.full[ring.slot], ring.parity);
    tensor::wgmma_fence(part);
    multiply_span<S>(part, {stages + ring.slot * S::kStageBytes, group}, false);
    tensor::wgmma_commit();
    tensor::wgmma_wait<0>(part);
    if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
    promote(sum, part);
  }
  store_sums<S>(product, tile, sum);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles<Ringed>(sgemm<Ringed>, Ringed::kMultipliers + kWarpSize, s, stream);
}

}  // namespace producer
