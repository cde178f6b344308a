// Waits for this pair first, and then asks for the next one: a single batch is on its way at a
// time.
#include <cuda_pipeline.h>

__global__ void sum_ahead(int n, const float* A, const float* B, float* C) {
  __shared__ float2 pairs[2][64];
  const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
  const auto ask = [&](int k, int place) {
    if (k < n) {
      __pipeline_memcpy_async(&pairs[place][t].x, &A[k], sizeof(float));
      __pipeline_memcpy_async(&pairs[place][t].y, &B[k], sizeof(float));
    }
    __pipeline_commit();
  };
  int i = blockIdx.x * blockDim.x + t, place = 0;
  for (ask(i, place); i < n; i += stride, place = 1 - place) {
    __pipeline_wait_prior(0);
    ask(i + stride, 1 - place);
    C[i] = pairs[place][t].x + pairs[place][t].y;
  }
}
