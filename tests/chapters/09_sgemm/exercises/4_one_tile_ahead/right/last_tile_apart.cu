// The loop ends before the last tile, which is multiplied behind it; A is turned in shared memory.
#include <cuda_pipeline.h>

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][33], b[2][32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 32;
  int tile = blockIdx.x, place = 0;
  if (tile >= tiles) return;
  const auto fetch = [&](int which, int to) {
    for (int row = warp; row < 32; row += 8)
      __pipeline_memcpy_async(&b[to][row][lane], B + row * n + which * 32 + lane, 4);
    __pipeline_commit();
  };
  const auto multiply = [&] {
    float sum[4] = {};
    for (int p = 0; p < 32; ++p)
      for (int i = 0; i < 4; ++i) sum[i] += a[p][warp + 8 * i] * b[place][p][lane];
    for (int i = 0; i < 4; ++i) C[(warp + 8 * i) * n + tile * 32 + lane] = sum[i];
  };
  fetch(tile, 0);
  for (int row = warp; row < 32; row += 8) a[lane][row] = A[row * 32 + lane];
  for (const int stride = gridDim.x; tile + stride < tiles; tile += stride, place ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    fetch(tile + stride, place ^ 1);
    multiply();
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  multiply();
}
