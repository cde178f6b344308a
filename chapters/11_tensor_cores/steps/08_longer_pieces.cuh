#pragma once

#include "07_registers.cuh"

namespace longer_pieces {

using namespace warpgroup;
using producer::Ringed, promotion::promote, registers::get_many_registers,
    registers::keep_few_registers;

/// The products of two spans: all the small ones first. release(slot) is called for a stage that
/// the warp has read.
template <typename S, typename Release>
__device__ inline void multiply_piece(float (&part)[S::kSums], const unsigned char* stages,
                                      Barriers<S>& barriers, Ring<S>& ring, Release release) {
  const int group = threadIdx.x / kGroupThreads;
  const Ring<S> first = ring, second = ring.next();
  const Operands<S> in_first(stages + first.slot * S::kStageBytes, group);
  const Operands<S> in_second(stages + second.slot * S::kStageBytes, group);
  wait(&barriers.full[first.slot], first.parity);
  wait(&barriers.full[second.slot], second.parity);
  tensor::wgmma_fence(part);
  multiply_low<S>(part, in_first, false);
  multiply_low<S>(part, in_second, true);
  multiply_high<S>(part, in_first);
  multiply_high<S>(part, in_second);
  tensor::wgmma_commit();
  tensor::wgmma_wait<0>(part);
  release(first.slot);
  release(second.slot);
  ring = second.next();
}
template <typename S>
__device__ inline void multiply_piece(float (&part)[S::kSums], const unsigned char* stages,
                                      Barriers<S>& barriers, Ring<S>& ring) {
  multiply_piece<S>(part, stages, barriers, ring, [&](int slot) {
    if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&barriers.empty[slot]);
  });
}

/// Spans of k, two and two; behind an odd one TMA delivers zeros.
template <typename S>
__device__ inline int even_spans(int k) {
  return (split::spans<typename S::Type>(k) + 1) / 2 * 2;
}

/// The same, but the tensor core adds up two spans.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as registers::sgemm
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,    // [m, spans]
          const __grid_constant__ CUtensorMap B) {  // [n, spans]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const Corner tile = {static_cast<int>(blockIdx.y) * S::kTileM,
                       static_cast<int>(blockIdx.x) * S::kTileN};
  const int spans = even_spans<S>(product.k);
  Ring<S> ring;

  if (threadIdx.x >= S::kMultipliers) {
    keep_few_registers();
    if (threadIdx.x != S::kMultipliers) return;
    for (int span = 0; span < spans; ++span, ring = ring.next()) {
      wait(&barriers.empty[ring.slot], ring.parity ^ 1);
      request<S>(A, B, tile, span, stages + ring.slot * S::kStageBytes, &barriers.full[ring.slot]);
    }
    return;
  }

  get_many_registers();
  float sum[S::kSums] = {};
  for (int span = 0; span < spans; span += 2) {
    float part[S::kSums];
    multiply_piece<S>(part, stages, barriers, ring);
    promote(sum, part);
  }
  store_sums<S>(product, tile, sum);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles<Ringed>(sgemm<Ringed>, Ringed::kThreads, s, stream);
}

}  // namespace longer_pieces
