// The rows above and the weights are kept in shared memory instead of registers.
//! loads
//= requests of the busiest warp
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  __shared__ float kept[2][128], w[3];
  if (threadIdx.x < 3) w[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  kept[0][threadIdx.x] = kept[1][threadIdx.x] = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i], above = kept[row % 2][threadIdx.x];
    const float two_above = kept[(row + 1) % 2][threadIdx.x];
    out[row * n + i] = w[0] * value + w[1] * above + w[2] * two_above;
    kept[(row + 1) % 2][threadIdx.x] = value;
  }
}
