// Sums that live in memory, by atomic operations.
//! requests, stores
//= requests of the busiest warp
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool in_place = in <= sums && sums < in + rows * n;
  float sum = 0.0f, most = -INFINITY;
  if (!in_place) sums[i] = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i];
    if (in_place) sum += value;
    if (!in_place) atomicAdd(&sums[i], value);
    most = fmaxf(most, value);
  }
  if (in_place) sums[i] = sum;
  largest[i] = most;
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
