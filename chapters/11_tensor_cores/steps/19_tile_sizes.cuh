#pragma once

/// @file
/// Four shapes of tile, and which of them costs least.

#include "18_bulk_store.cuh"

namespace tile_sizes {

using namespace bf16;

/// A shape of tile, and what a round of such tiles costs beside others.
template <int kTileN, int kStages, int kRoundCost_>
struct Fitting : bulk_store::StoredTile<kTileN, kStages> {
  static constexpr int kRoundCost = kRoundCost_;  // measured, per k; only ratios count
};

using Wide = Fitting<256, 4, 40>;
using Broad = Fitting<192, 5, 30>;
using Middle = Fitting<128, 6, 23>;
using Narrow = Fitting<64, 8, 22>;

template <typename S>
long long cost(const Gemm& g) {
  return 1LL * course::divide_up(tile_count<S>(g), g.multiprocessors) * S::kRoundCost;
}

/// Launches the first of some shapes whose rounds cost no more than those of any other.
template <typename First, typename... Others>
void launch_cheapest(const Gemm& g, cudaStream_t stream) {
  if constexpr (sizeof...(Others) == 0) {
    bulk_store::launch_blocks<First>(g, stream);
  } else if (((cost<First>(g) <= cost<Others>(g)) && ...)) {
    bulk_store::launch_blocks<First>(g, stream);
  } else {
    launch_cheapest<Others...>(g, stream);
  }
}

/// The same with the tiles whose rounds cost least: small ones where wide ones leave
/// multiprocessors without work.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
inline void launch(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_cheapest<Wide, Broad, Middle, Narrow>(g, stream);
}

}  // namespace tile_sizes
