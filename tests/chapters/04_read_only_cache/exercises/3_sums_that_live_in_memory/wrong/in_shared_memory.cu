// The two accumulators live in shared memory, one place for each thread: that is no register.
//! requests
//= requests of the busiest warp
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  __shared__ float sum[128], most[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, me = threadIdx.x;
  if (i >= n) return;

  sum[me] = 0.0f;
  most[me] = in[i];
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i];
    sum[me] += value;
    most[me] = fmaxf(most[me], value);
  }
  sums[i] = sum[me];
  largest[i] = most[me];
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
