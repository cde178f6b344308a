#pragma once

#include "06_producer.cuh"

namespace registers {

using namespace warpgroup;
using producer::Ringed, promotion::promote;

// 65,536 registers are 168 for each of 384 threads. The warpgroup that only asks for copies gives
// up 144 of its own, and the two that multiply get 72 more each.
constexpr int kFewRegisters = 24, kManyRegisters = 240;

/// Gives registers of every thread of a warpgroup back.
__device__ inline void keep_few_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kFewRegisters));
}
/// Waits until there are so many registers for every thread of a warpgroup.
__device__ inline void get_many_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kManyRegisters));
}

/// The same; the warpgroup that has the stages filled gives its registers to the others.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as wgmma::sgemm, with S::kThreads threads
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
  const int spans = split::spans<typename S::Type>(product.k);
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
  launch_tiles<Ringed>(sgemm<Ringed>, Ringed::kThreads, s, stream);
}

}  // namespace registers
