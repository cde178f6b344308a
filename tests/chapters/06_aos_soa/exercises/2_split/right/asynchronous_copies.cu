// The structures travel into shared memory without passing through registers.
#include <cuda_pipeline.h>

__global__ void split_particles(int n, int pitch, const float* particles, float* arrays) {
  extern __shared__ float tile[];
  const int first = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - first);
  for (int k = threadIdx.x; k < 7 * count; k += blockDim.x)
    __pipeline_memcpy_async(&tile[k], &particles[7 * first + k], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int thread = threadIdx.x;
  if (thread < count)
    for (int field = 7; field-- > 0;)
      arrays[field * pitch + first + thread] = tile[7 * thread + field];
}
