#pragma once

#include "03_staged.cuh"

namespace unsynchronised {

using namespace staged;

/// The same as published, without __syncwarp(): right while the lanes of a warp went in step, and
/// wrong since they need not.
/// @expect  global_store_requests = m * n / 32
/// @expect  global_store_sectors = 4 * m * n / 32
/// @pre     kTile^2 / 64 threads; the grid covers m in x and n in y with tiles of kTile
template <int kTile>
__global__ void sgemm(const Product p) {
  const Place at = own_place<kTile>();
  float sums[kOwn][kOwn] = {};  // [col][row]
  multiply<kTile>(p, at, sums);
  store_through_shared<kTile>(p, at, sums, [] {});
}

inline void launch(const Product& p, int tile, cudaStream_t stream) {
  launch_tiles(sgemm<64>, sgemm<128>, p, tile, stream);
}

}  // namespace unsynchronised
