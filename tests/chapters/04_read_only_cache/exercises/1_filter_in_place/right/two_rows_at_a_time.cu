// Two rows in each round, both read before either is written; the last row alone if they are odd.
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2];
  float above = 0.0f, two_above = 0.0f;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    const float upper = in[row * n + i], lower = in[(row + 1) * n + i];
    out[row * n + i] = w0 * upper + w1 * above + w2 * two_above;
    out[(row + 1) * n + i] = w0 * lower + w1 * upper + w2 * above;
    two_above = upper;
    above = lower;
  }
  if (row < rows) out[row * n + i] = w0 * in[row * n + i] + w1 * above + w2 * two_above;
}
