#pragma once

#include "04_large_tile.cuh"

namespace promotion {

using namespace warpgroup;
using large_tile::Large;

/// Adds what the tensor core has summed up, in fp32 and rounded to the nearest.
template <int kSums>
__device__ inline void promote(float (&sum)[kSums], const float (&part)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) sum[i] += part[i];
}

/// The same, but the tensor core adds up no more than a span.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as wgmma::sgemm
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
    float part[S::kSums];
    if (threadIdx.x == 0) request<S>(A, B, tile, span, stage, barriers.full);
    wait(barriers.full, span % 2);
    tensor::wgmma_fence(part);
    multiply_span<S>(part, {stage, static_cast<int>(threadIdx.x) / kGroupThreads}, false);
    tensor::wgmma_commit();
    tensor::wgmma_wait<0>(part);
    __syncthreads();  // nobody reads the stage any more
    promote(sum, part);
  }
  store_sums<S>(product, tile, sum);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles<Large>(sgemm<Large>, Large::kMultipliers, s, stream);
}

}  // namespace promotion
