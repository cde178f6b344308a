#pragma once

#include "05_promotion.cuh"
#include "20_short_sums.cuh"

namespace promoted_sums {

using namespace eight_bits;
using promotion::promote;

/// A shape of tile, and what a round of such tiles costs beside others.
template <int kTileM, int kTileN, int kStages, int kRoundCost_>
struct Fitting : TileShape<kTileM, kTileN, kStages> {
  static constexpr int kRoundCost = kRoundCost_;  // measured, per k; only ratios count
};

// A thread has the sums of its tile, and beside them those of a panel's products with 64 rows of A.
using Tall = Fitting<256, 128, 4, 54>;    // 128 + 64 registers
using Broad = Fitting<128, 192, 5, 38>;   // 96 + 96
using Middle = Fitting<128, 128, 6, 29>;  // 64 + 64
using Narrow = Fitting<128, 64, 8, 25>;   // 32 + 32

/// The same, but the tensor core adds up no more than a panel.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (kTileM * kTileN * 128)
/// @expect  bulk_stores = m * n / (64 * 64)
/// @pre     as short_sums::gemm
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
    float sum[S::kParts][S::kSums] = {};
    for (int k = 0; k < g.k; k += kPanel, ring = ring.next()) {
      wait(&barriers.full[ring.slot], ring.parity);
#pragma unroll
      for (int part = 0; part < S::kParts; ++part) {
        float product[S::kSums];
        multiply_panel<S>(product, operands, ring.slot, part, false);
        tensor::wgmma_wait<0>(product);
        if (part + 1 == S::kParts) release(barriers, ring.slot);
        promote(sum[part], product);
      }
    }
#pragma unroll
    for (int part = 0; part < S::kParts; ++part)
      store_part<S>(C, tile, group, part, sum[part], scale, results);
  });
  wait_for_stores();
}

/// Whether rounds of tiles of the first shape cost no more than those of the second.
template <typename First, typename Second>
bool costs_no_more(const EightBitGemm& g) {
  const auto cost = [&](int tiles, int of_round) {
    return 1LL * course::divide_up(tiles, g.multiprocessors) * of_round;
  };
  return cost(tile_count<First>(g), First::kRoundCost) <=
         cost(tile_count<Second>(g), Second::kRoundCost);
}

/// Calls launch(shape) with the first of some shapes whose rounds cost no more than those of any
/// other.
template <typename First, typename... Others, typename Launch>
void launch_cheapest(const EightBitGemm& g, Launch launch) {
  if constexpr (sizeof...(Others) == 0) {
    launch(First{});
  } else if ((costs_no_more<First, Others>(g) && ...)) {
    launch(First{});
  } else {
    launch_cheapest<Others...>(g, launch);
  }
}

inline void launch(const EightBitGemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_cheapest<Tall, Broad, Middle, Narrow>(
      g, [&]<typename S>(S) { launch_blocks<S>(gemm<S>, g, stream); });
}

}  // namespace promoted_sums
