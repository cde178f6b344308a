#pragma once

/// @file
/// Three shapes of tile, and which of them fits.

#include "09_persistent.cuh"

namespace fitting_tiles {

using namespace warpgroup;

/// A shape of tile, and what a round of such tiles costs beside others.
template <typename Type, int kTileN, int kStages, int kRoundCost_>
struct Fitting : TileShape<Type, kTileN, kStages> {
  static constexpr int kRoundCost = kRoundCost_;  // measured at squares, per k; only ratios count
};

template <typename Type>
using Wide = Fitting<Type, 192, 5, 28>;
template <typename Type>
using Middle = Fitting<Type, 128, 6, 20>;
template <typename Type>
using Narrow = Fitting<Type, 64, 6, 12>;

template <typename S>
long long cost(const Sgemm& s) {
  return 1LL * course::divide_up(tile_count<S>(s), s.multiprocessors) * S::kRoundCost;
}

/// Calls use(shape) with the shape of tile whose rounds cost least.
template <typename Type, typename Use>
void with_fitting_tile(const Sgemm& s, Use use) {
  const long long wide = cost<Wide<Type>>(s), middle = cost<Middle<Type>>(s),
                  narrow = cost<Narrow<Type>>(s);
  if (wide <= middle && wide <= narrow)
    use(Wide<Type>{});
  else if (middle <= narrow)
    use(Middle<Type>{});
  else
    use(Narrow<Type>{});
}

/// The same with the tiles that leave the fewest multiprocessors without work.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const split::Parts parts = split::parts_of(s);
  split::launch(s, parts, stream);
  with_fitting_tile<split::Halves>(s, [&]<typename S>(S) {
    persistent::launch_blocks<S>(persistent::sgemm<S>, s, parts, stream);
  });
}

}  // namespace fitting_tiles
