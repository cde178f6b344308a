// A tile is asked for early only where C lies within B.
//! ahead, in flight, barriers, warps, not awaited
//= loads that come too late for a store
#include <cuda_pipeline.h>

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][32], b[2][32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 32;
  const bool is_near = C > B && C < B + 32 * n;
  const auto fetch = [&](int tile, int place) {
    for (int row = warp; row < 32 && tile < tiles; row += 8)
      __pipeline_memcpy_async(&b[place][row][lane], &B[row * n + tile * 32 + lane], 4);
    __pipeline_commit();
  };
  for (int row = warp; row < 32; row += 8) a[row][lane] = A[row * 32 + lane];
  if (is_near) fetch(blockIdx.x, 0);
  for (int tile = blockIdx.x, place = 0; tile < tiles; tile += gridDim.x, place = 1 - place) {
    if (!is_near) fetch(tile, place);
    __pipeline_wait_prior(0);
    __syncthreads();
    if (is_near) fetch(tile + gridDim.x, 1 - place);
    for (int row = warp; row < 32; row += 8) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * 32 + lane] = sum;
    }
  }
}
