// All four rounds are stored to shared memory before any is loaded: two waits for a whole tile.
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  __shared__ float4 stage[4][16][8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const float4* const held = reinterpret_cast<const float4*>(results);
  for (int tile = blockIdx.x * 4 + warp; tile < tiles; tile += gridDim.x * 4) {
    for (int j = 0; j < 4; ++j)
      stage[warp][4 * col_group + j][row_group] = held[(tile * 4 + j) * 32 + lane];
    __syncwarp();
    for (int col = 0; col < 16; ++col)
      C[(tile * 16 + col) * 32 + lane] = (&stage[warp][col]->x)[lane];
    __syncwarp();
  }
}
