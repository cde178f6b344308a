// The lanes of a warp take columns that are 33 apart.
//! stores
//= times the sectors that rows touch
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool is_permutation = n % 3 != 0 && n % 11 != 0;
  const int column = is_permutation ? i * 33 % n : i;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2];
  float above = 0.0f, two_above = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + column];
    out[row * n + column] = w0 * value + w1 * above + w2 * two_above;
    two_above = above;
    above = value;
  }
}
