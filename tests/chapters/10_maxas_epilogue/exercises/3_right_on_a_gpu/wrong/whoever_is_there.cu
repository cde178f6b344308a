// Lanes wait for those that happen to be there.
//! waits, staging, sectors
//= race (read after write) in shared memory between lanes of one warp
__global__ void store_tiles(int tiles, const float* results, float* C) {
  constexpr int kWarps = 4, kRows = 32, kCols = 16, kPad = 16;
  __shared__ float4 stage[kWarps][4][(kRows + kPad) / 4];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const float4* const held = reinterpret_cast<const float4*>(results);

  for (int tile = blockIdx.x * kWarps + warp; tile < tiles; tile += gridDim.x * kWarps)
    for (int j = 0; j < 4; ++j) {
      stage[warp][col_group][row_group] = held[(tile * 4 + j) * 32 + lane];
      __syncwarp(__activemask());
      for (int group = 0; group < 4; ++group) {
        const float* const column = &stage[warp][group]->x;
        C[(tile * kCols + 4 * group + j) * kRows + lane] = column[lane];
      }
      __syncwarp(__activemask());
    }
}
