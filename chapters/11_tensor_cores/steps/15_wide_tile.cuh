#pragma once

/// @file
/// Step 14 with wider tiles.

#include "14_ring.cuh"

namespace wide_tile {

using namespace bf16;
using Wide = TileShape<256, 4>;

/// The same with tiles of 128 x 256: a quarter less to load for each product.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = (1 + kTileN / 64) * m * n * k / (128 * kTileN * 64)
inline void launch(const Gemm& g, cudaStream_t stream) {
  launch_tiles<Wide>(ring::gemm<Wide>, Wide::kThreads, g, stream);
}

}  // namespace wide_tile
