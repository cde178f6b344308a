#pragma once

/// @file
/// Step 03 with larger tiles.

#include "03_wgmma.cuh"

namespace large_tile {

using namespace warpgroup;

using Large = TileShape<split::Halves, 192, 1>;

/// The same with tiles of 128 x 192.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
inline void launch(const Sgemm& s, cudaStream_t stream) {
  launch_tiles<Large>(wgmma::sgemm<Large>, Large::kMultipliers, s, stream);
}

}  // namespace large_tile
