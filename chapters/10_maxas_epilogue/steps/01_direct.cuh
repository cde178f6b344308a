#pragma once

#include "maxas.cuh"

namespace direct {

using namespace maxas;

/// C = alpha A B + beta C: every thread stores its results where they belong, one at a time.
/// @expect  global_store_requests = m * n / 32
/// @expect  global_store_sectors = 16 * m * n / 32
/// @pre     kTile^2 / 64 threads; the grid covers m in x and n in y with tiles of kTile
template <int kTile>
__global__ void sgemm(const Product p) {
  constexpr int kHalf = Tile<kTile>::kHalf;
  const Place at = own_place<kTile>();
  float sums[kOwn][kOwn] = {};  // [col][row]
  multiply<kTile>(p, at, sums);

#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const int col = at.tile_col + at.col_group * kQuad + j % kQuad + j / kQuad * kHalf;
    for (int i = 0; i < kOwn; ++i) {
      const int row = at.tile_row + at.row_group * kQuad + i % kQuad + i / kQuad * kHalf;
      if (row >= p.m || col >= p.n) continue;
      update(p, p.C[col * p.ldc + row], sums[j][i]);
    }
  }
}

inline void launch(const Product& p, int tile, cudaStream_t stream) {
  launch_tiles(sgemm<64>, sgemm<128>, p, tile, stream);
}

}  // namespace direct
