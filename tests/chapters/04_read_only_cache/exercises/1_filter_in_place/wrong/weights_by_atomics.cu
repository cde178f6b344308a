// The weights are read in every row, by atomic operations that change nothing.
//! loads, stores
//= requests of the busiest warp
__device__ float weight(const float* weights, int i) {
  return atomicAdd(const_cast<float*>(&weights[i]), 0.0f);
}

__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float above = 0.0f, two_above = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i];
    out[row * n + i] =
        weight(weights, 0) * value + weight(weights, 1) * above + weight(weights, 2) * two_above;
    two_above = above;
    above = value;
  }
}
