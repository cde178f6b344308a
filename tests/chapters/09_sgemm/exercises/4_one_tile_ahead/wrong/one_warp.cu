// One tile ahead, by one warp of eight: nobody else has anything to do.
//! ahead, in flight, barriers, warps
//= requests to global memory of the busiest warp
#include <cuda_pipeline.h>

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][32], b[2][32][32];
  const int lane = threadIdx.x, tiles = n / 32, stride = gridDim.x;
  if (lane >= 32) return;
  const auto fetch = [&](int tile, int place) {
    for (int row = 0; row < 32 && tile < tiles; ++row)
      __pipeline_memcpy_async(&b[place][row][lane], &B[row * n + tile * 32 + lane], 4);
    __pipeline_commit();
  };
  for (int row = 0; row < 32; ++row) a[row][lane] = A[row * 32 + lane];
  fetch(blockIdx.x, 0);
  for (int tile = blockIdx.x, place = 0; tile < tiles; tile += stride, place ^= 1) {
    __pipeline_wait_prior(0);
    __syncwarp();
    fetch(tile + stride, place ^ 1);
    for (int row = 0; row < 32; ++row) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * 32 + lane] = sum;
    }
  }
}
