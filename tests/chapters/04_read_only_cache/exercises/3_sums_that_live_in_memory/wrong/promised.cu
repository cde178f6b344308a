// A promise keeps both sums in registers, and is not true in place.
//! in place, requests, stores
//= a row is overwritten before
__global__ void sum_columns(int n, int rows, const float* __restrict__ in, float* __restrict__ sums,
                            float* __restrict__ largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sums[i] = 0.0f;
  largest[i] = -INFINITY;
  for (int row = 0; row < rows; ++row) {
    sums[i] += in[row * n + i];
    largest[i] = fmaxf(largest[i], in[row * n + i]);
  }
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
