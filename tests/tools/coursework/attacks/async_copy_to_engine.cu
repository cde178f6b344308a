// kind: engine
// run: cudaErrorIllegalAddress
// An asynchronous copy writes when the function may have returned already.
#include <cuda_pipeline.h>
__global__ void kernel(int n, const float* in, float* out) {
  float local[4];
  __pipeline_memcpy_async(&local[0], in, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = local[0];
}
