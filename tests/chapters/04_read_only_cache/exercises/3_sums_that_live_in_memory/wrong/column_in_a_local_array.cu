// A thread copies its whole column first: that is memory again, and it ends somewhere.
//= at an address that is not the device's
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  float column[130000];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) column[row] = in[row * n + i];
  float sum = 0.0f, most = -INFINITY;
  for (int row = 0; row < rows; ++row) sum += column[row];
  for (int row = 0; row < rows; ++row) most = fmaxf(most, column[row]);
  sums[i] = sum;
  largest[i] = most;
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
