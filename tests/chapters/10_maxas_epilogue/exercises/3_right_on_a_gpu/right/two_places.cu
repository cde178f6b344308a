// Rounds take turns with two places in shared memory, so that one wait per round is enough: a lane
// stores to a place again only two rounds later, and there is a wait between.
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  __shared__ float4 stage[4][2][4][12];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const float4* const held = reinterpret_cast<const float4*>(results);
  for (int tile = blockIdx.x * 4 + warp; tile < tiles; tile += gridDim.x * 4) {
    for (int j = 0; j < 4; ++j) {
      stage[warp][j % 2][col_group][row_group] = held[(tile * 4 + j) * 32 + lane];
      __syncwarp();
      for (int group = 0; group < 4; ++group)
        C[(tile * 16 + 4 * group + j) * 32 + lane] = (&stage[warp][j % 2][group]->x)[lane];
    }
  }
}
