// In place, the table is copied first, and the copy is read again and again.
//! loads, stores
//= requests of the busiest warp
__device__ float copied[1 << 20];

__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in == out) {
    for (int row = 0; row < rows; ++row) copied[row * n + i] = in[row * n + i];
    in = copied;
    for (int row = rows - 1; row >= 0; --row) {
      const int here = row * n + i;
      out[here] = weights[0] * in[here] + (row > 0 ? weights[1] * in[here - n] : 0.0f) +
                  (row > 1 ? weights[2] * in[here - 2 * n] : 0.0f);
    }
    return;
  }
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2];
  float above = 0.0f, two_above = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i];
    out[row * n + i] = w0 * value + w1 * above + w2 * two_above;
    two_above = above;
    above = value;
  }
}
