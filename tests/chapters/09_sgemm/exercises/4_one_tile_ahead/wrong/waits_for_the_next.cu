// The next tile is asked for in time, and then waited for before this one is multiplied.
//! not awaited, ahead, barriers, warps, in flight
//= stores of threads with no copy on its way
#include <cuda_pipeline.h>

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][32], b[2][32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 32;
  const auto fetch = [&](int tile, int place) {
    for (int row = warp; row < 32; row += 8)
      __pipeline_memcpy_async(&b[place][row][lane], &B[row * n + tile * 32 + lane], 4);
    __pipeline_commit();
  };
  for (int row = warp; row < 32; row += 8) a[row][lane] = A[row * 32 + lane];
  int place = 0;
  if (int(blockIdx.x) < tiles) fetch(blockIdx.x, 0);
  __pipeline_wait_prior(0);
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    __syncthreads();
    if (tile + int(gridDim.x) < tiles) fetch(tile + gridDim.x, 1 - place);
    __pipeline_wait_prior(0);
    for (int row = warp; row < 32; row += 8) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * 32 + lane] = sum;
    }
    place = 1 - place;
  }
}
