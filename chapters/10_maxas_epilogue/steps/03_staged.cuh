#pragma once

#include "maxas.cuh"

namespace staged {

using namespace maxas;

/// The epilogue of maxas: eight times, a warp passes four columns of its results through shared
/// memory. `wait` is what its lanes do until all of them are there.
template <int kTile, typename Wait>
__device__ inline void store_through_shared(const Product& p, const Place& at,
                                            const float (&sums)[kOwn][kOwn], Wait wait) {
  constexpr int kHalf = Tile<kTile>::kHalf, kMaxPad = 32;
  constexpr int kSkip = kHalf - kQuad;  // columns between a thread's two fours: 28, or 60
  __shared__ float4 stage[kTile / kOwn * (kTile + kMaxPad) / kQuad];  // [kTile / kOwn, stride]
  const int stride = kTile + p.pad;
  float4* const write_cs = stage + at.col_group * stride / kQuad + at.row_group;
  const int row_in_tile = at.side * kWarp + at.lane;
  const float* const read_cs = &stage[at.strip * kWarpCols * stride / kQuad].x + row_in_tile;
  const int row = at.tile_row + row_in_tile;
  int col = at.tile_col + at.strip * kWarpCols * kQuad;
  float* out = p.C + col * p.ldc + row;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const float* const s = sums[j];
    write_cs[0] = make_float4(s[0], s[1], s[2], s[3]);
    write_cs[kHalf / kQuad] = make_float4(s[4], s[5], s[6], s[7]);
    wait();  // the warp's four columns are complete
    float cs[kOwn];
    for (int i = 0; i < kOwn; ++i) cs[i] = read_cs[i / 2 * stride + i % 2 * kHalf];
    wait();  // and have been read
    for (int half = 0; half < 2 && row + half * kHalf < p.m; ++half)
      for (int i = 0; i < kQuad && col + i * kQuad < p.n; ++i)
        update(p, out[i * kQuad * p.ldc + half * kHalf], cs[2 * i + half]);
    const int step = j + 1 == kQuad ? 1 + kSkip : 1;
    col += step;
    out += step * p.ldc;
  }
}

/// C = alpha A B + beta C, stored as maxas does it, but for the two waits.
/// @expect  global_store_requests = m * n / 32
/// @expect  global_store_sectors = 4 * m * n / 32
/// @pre     kTile^2 / 64 threads; the grid covers m in x and n in y with tiles of kTile
template <int kTile>
__global__ void sgemm(const Product p) {
  const Place at = own_place<kTile>();
  float sums[kOwn][kOwn] = {};  // [col][row]
  multiply<kTile>(p, at, sums);
  store_through_shared<kTile>(p, at, sums, [] { __syncwarp(); });
}

inline void launch(const Product& p, int tile, cudaStream_t stream) {
  launch_tiles(sgemm<64>, sgemm<128>, p, tile, stream);
}

}  // namespace staged
