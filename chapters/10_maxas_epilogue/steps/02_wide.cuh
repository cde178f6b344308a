#pragma once

#include "maxas.cuh"

namespace wide {

using namespace maxas;

/// The same with 16-byte stores, where the columns of C begin at a multiple of 16 bytes.
/// @expect  global_store_requests = m * n / 32 / 4
/// @expect  global_store_sectors = 16 * m * n / 32 / 4
/// @pre     kTile^2 / 64 threads; the grid covers m in x and n in y with tiles of kTile
template <int kTile>
__global__ void sgemm(const Product p) {
  constexpr int kHalf = Tile<kTile>::kHalf;
  const Place at = own_place<kTile>();
  float sums[kOwn][kOwn] = {};  // [col][row]
  multiply<kTile>(p, at, sums);

  const bool aligned = p.ldc % kQuad == 0 && reinterpret_cast<size_t>(p.C) % sizeof(float4) == 0;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const int col = at.tile_col + at.col_group * kQuad + j % kQuad + j / kQuad * kHalf;
    for (int half = 0; half < 2; ++half) {
      const int row = at.tile_row + at.row_group * kQuad + half * kHalf;
      const float* const s = &sums[j][half * kQuad];
      float* const out = p.C + col * p.ldc + row;
      if (aligned && row + kQuad <= p.m && col < p.n) {
        float4& result = *reinterpret_cast<float4*>(out);
        float4 c = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (p.beta != 0.0f) c = result;
        update(p, c.x, s[0]);
        update(p, c.y, s[1]);
        update(p, c.z, s[2]);
        update(p, c.w, s[3]);
        result = c;
        continue;
      }
      for (int i = 0; i < kQuad && row + i < p.m && col < p.n; ++i) update(p, out[i], s[i]);
    }
  }
}

inline void launch(const Product& p, int tile, cudaStream_t stream) {
  launch_tiles(sgemm<64>, sgemm<128>, p, tile, stream);
}

}  // namespace wide
