#pragma once

#include "eight_bits.cuh"

namespace short_sums {

using namespace eight_bits;
using Wide = TileShape<128, 256, 4>;

/// Step 18's kernel with 8-bit floats: a panel has as many bytes, and twice as many k.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (kTileM * kTileN * 128)
/// @expect  bulk_stores = m * n / (64 * 64)
/// @expect  global_store_requests = 0
/// @pre     S::kThreads threads, any number of blocks; A, B and C described in boxes of kTileM rows
///          and 128 k, kTileN rows and 128 k, 64 rows and columns
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const EightBitGemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B,    // [n, k]
         const __grid_constant__ CUtensorMap C) {  // [m, n]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  if (threadIdx.x >= S::kMultipliers) {
    request_tiles<S>(g, A, B, stages, barriers);
    return;
  }
  get_many_registers();
  const int group = own_group();
  const Operands<S> operands(stages, group);
  unsigned char* const results = stages + S::kResultsAt + group * S::kResultBytes;
  const float scale = *g.scale_a * *g.scale_b;
  Ring<S> ring;
  for_own_tiles<S>(g, [&](const Corner& tile) {
    float sum[S::kSums] = {};
    for (int k = 0; k < g.k; k += kPanel, ring = ring.next()) {
      wait(&barriers.full[ring.slot], ring.parity);
      multiply_panel<S>(sum, operands, ring.slot, 0, k > 0);
      bf16::wait_for_earlier_groups<1>();
      if (k > 0) release(barriers, ring.previous().slot);
    }
    tensor::wgmma_wait<0>(sum);
    if (g.k > 0) release(barriers, ring.previous().slot);
    store_part<S>(C, tile, group, 0, sum, scale, results);
  });
  wait_for_stores();
}

inline void launch(const EightBitGemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_blocks<Wide>(gemm<Wide>, g, stream);
}

}  // namespace short_sums
