// The second wait stands at the beginning of a round, before anybody stores again; single floats go
// to shared memory.
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  __shared__ float stage[4][4][33];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int row_group = lane >> 1 & 7, col_group = lane >> 4 << 1 | (lane & 1);
  const float4* const held = reinterpret_cast<const float4*>(results);
  for (int tile = blockIdx.x * 4 + warp; tile < tiles; tile += gridDim.x * 4) {
    for (int j = 0; j < 4; ++j) {
      const float4 four = held[(tile * 4 + j) * 32 + lane];
      __syncwarp();
      stage[warp][col_group][4 * row_group] = four.x;
      stage[warp][col_group][4 * row_group + 1] = four.y;
      stage[warp][col_group][4 * row_group + 2] = four.z;
      stage[warp][col_group][4 * row_group + 3] = four.w;
      __syncwarp();
      for (int group = 0; group < 4; ++group)
        C[(tile * 16 + 4 * group + j) * 32 + lane] = stage[warp][group][lane];
    }
  }
}
