// The whole block waits, and all of its warps go round as often, with or without a tile.
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  __shared__ float4 stage[4][4][12];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const float4* const held = reinterpret_cast<const float4*>(results);
  for (int first = blockIdx.x * 4; first < tiles; first += gridDim.x * 4) {
    const int tile = first + warp;
    for (int j = 0; j < 4; ++j) {
      if (tile < tiles) stage[warp][col_group][row_group] = held[(tile * 4 + j) * 32 + lane];
      __syncthreads();
      for (int group = 0; group < 4 && tile < tiles; ++group)
        C[(tile * 16 + 4 * group + j) * 32 + lane] = (&stage[warp][group]->x)[lane];
      __syncthreads();
    }
  }
}
