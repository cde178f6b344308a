// One loop for the sum and one for the largest: everything is loaded twice.
//! requests
//= Every element is loaded twice
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f, most = -INFINITY;
  for (int row = 0; row < rows; ++row) sum += *static_cast<const volatile float*>(in + row * n + i);
  for (int row = 0; row < rows; ++row)
    most = fmaxf(most, *static_cast<const volatile float*>(in + row * n + i));
  sums[i] = sum;
  largest[i] = most;
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
