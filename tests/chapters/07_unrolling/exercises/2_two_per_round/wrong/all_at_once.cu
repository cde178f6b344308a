// Everything is loaded before anything is stored. There is no room for that in larger arrays.
//! result, order, requests, sectors, stores, in flight
//= C is wrong
__global__ void sum_grid_stride2(int n, int offset, const float* A, const float* B, float* C) {
  constexpr int kMost = 512;
  const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float sums[kMost];
  for (int k = 0, i = first; k < kMost && i + offset < n; ++k, i += stride)
    sums[k] = A[i + offset] + B[i + offset];
  for (int k = 0, i = first; k < kMost && i + offset < n; ++k, i += stride) C[i] = sums[k];
}
