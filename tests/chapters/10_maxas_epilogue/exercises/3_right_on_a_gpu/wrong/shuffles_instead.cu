// Lanes exchange their results by shuffles, so that nobody has to wait. What they store to shared
// memory is there for show.
//! waits, staging
//= stores of a warp to shared memory, shuffles included
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  __shared__ float4 stage[4][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int tile = blockIdx.x * 4 + warp; tile < tiles; tile += gridDim.x * 4)
    for (int j = 0; j < 4; ++j) {
      const float4 mine = reinterpret_cast<const float4*>(results)[(tile * 4 + j) * 32 + lane];
      stage[warp][lane] = mine;
      const float of_mine[] = {mine.x, mine.y, mine.z, mine.w};
      for (int group = 0; group < 4; ++group) {
        const int from = lane / 4 * 2 + group / 2 * 16 + group % 2;
        float found = 0.0f;
        for (int i = 0; i < 4; ++i) {
          const float one = __shfl_sync(~0u, of_mine[i], from);
          if (i == lane % 4) found = one;
        }
        C[(tile * 16 + 4 * group + j) * 32 + lane] = found;
      }
    }
}
