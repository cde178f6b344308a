// From the last row to the first: nothing is overwritten before it is read. All threads stay, and
// load the weights.
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2];
  if (i < n && rows > 0) {
    float here = in[(rows - 1) * n + i], above = rows > 1 ? in[(rows - 2) * n + i] : 0.0f;
    for (int row = rows - 1; row >= 0; --row) {
      const float two_above = row > 1 ? in[(row - 2) * n + i] : 0.0f;
      out[row * n + i] = w0 * here + w1 * above + w2 * two_above;
      here = above;
      above = two_above;
    }
  }
}
