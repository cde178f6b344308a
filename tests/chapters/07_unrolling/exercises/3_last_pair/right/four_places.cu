// Three pairs ahead, in four places.
#include <cuda_pipeline.h>

__global__ void sum_ahead(int n, const float* A, const float* B, float* C) {
  constexpr int kPlaces = 4;
  __shared__ float2 pairs[kPlaces][64];
  const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + t;
  const auto ask = [&](int round) {
    const int k = first + round * stride;
    if (k < n) {
      float2& pair = pairs[round % kPlaces][t];
      __pipeline_memcpy_async(&pair.x, &A[k], sizeof(float));
      __pipeline_memcpy_async(&pair.y, &B[k], sizeof(float));
    }
    __pipeline_commit();
  };
  for (int round = 0; round < kPlaces - 1; ++round) ask(round);
  for (int round = 0; first + round * stride < n; ++round) {
    ask(round + kPlaces - 1);
    __pipeline_wait_prior(kPlaces - 1);
    const float2 pair = pairs[round % kPlaces][t];
    C[first + round * stride] = pair.x + pair.y;
  }
}
