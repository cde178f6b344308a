// Copies from global to shared memory while the thread goes on.
#include <cuda_pipeline.h>
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ alignas(16) float stage[2][128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  __pipeline_memcpy_async(&stage[0][t], &in[i < n ? i : 0], sizeof(float));
  __pipeline_commit();
  __pipeline_memcpy_async(&stage[1][t], &in[i < n ? n - 1 - i : 0], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  const float first = stage[0][t];
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) out[i] = first - stage[1][127 - t];
}
