// Two accumulators of each kind, for even rows and for odd ones.
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum[2] = {}, most[2] = {-INFINITY, -INFINITY};
  int row = 0;
  for (; row + 1 < rows; row += 2)
    for (int k = 0; k < 2; ++k) {
      const float value = in[(row + k) * n + i];
      sum[k] += value;
      most[k] = fmaxf(most[k], value);
    }
  if (row < rows) {
    const float value = in[row * n + i];
    sum[0] += value;
    most[0] = fmaxf(most[0], value);
  }
  sums[i] = sum[0] + sum[1];
  largest[i] = fmaxf(most[0], most[1]);
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
