// No pair is ahead of another: all are loaded first. There is no room for that in larger arrays.
//! result, ahead, not awaited, loads, in flight
//= instead of
__global__ void sum_ahead(int n, const float* A, const float* B, float* C) {
  constexpr int kMost = 1024;
  const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float sums[kMost];
  for (int k = 0, i = first; k < kMost && i < n; ++k, i += stride) sums[k] = A[i] + B[i];
  for (int k = 0, i = first; k < kMost && i < n; ++k, i += stride) C[i] = sums[k];
}
