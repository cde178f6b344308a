// Each round asks for the next pair and waits for it. Since the first pair comes by plain loads, no
// more copies have arrived than there are sums; but none is on its way.
//! ahead, not awaited, in flight
//= stores of threads with no copy on its way
#include <cuda_pipeline.h>

__global__ void sum_ahead(int n, const float* A, const float* B, float* C) {
  __shared__ float2 next_pair[64];
  const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  float2 pair = make_float2(A[i], B[i]);
  for (; i < n; i += stride) {
    if (i + stride < n) {
      __pipeline_memcpy_async(&next_pair[t].x, &A[i + stride], sizeof(float));
      __pipeline_memcpy_async(&next_pair[t].y, &B[i + stride], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    C[i] = pair.x + pair.y;
    if (i + stride < n) pair = next_pair[t];
  }
}
