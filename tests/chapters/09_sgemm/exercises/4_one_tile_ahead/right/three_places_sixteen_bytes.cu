// Three places, and 16 bytes a copy: a thread asks for other elements than it finishes, so the next
// tile is asked for before the barrier.
#include <cuda_pipeline.h>

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ __align__(16) float a[1024], b[3][1024];
  const int thread = threadIdx.x, row = thread / 8, quad = thread % 8 * 4;
  const auto ask = [&](int round) {
    const int tile = blockIdx.x + round * gridDim.x;
    if (tile < n / 32)
      __pipeline_memcpy_async(&b[round % 3][row * 32 + quad], &B[row * n + tile * 32 + quad], 16);
    __pipeline_commit();
  };
  __pipeline_memcpy_async(&a[thread * 4], &A[thread * 4], 16);
  ask(0);
  for (int round = 0, tile; (tile = blockIdx.x + round * gridDim.x) < n / 32; ++round) {
    ask(round + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = thread; i < 1024; i += 256) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[i / 32 * 32 + p] * b[round % 3][p * 32 + i % 32];
      C[i / 32 * n + tile * 32 + i % 32] = sum;
    }
  }
}
