// Four rows ahead at the beginning, then row by row.
//! order
//= loads that come too late for a store
__global__ void polynomial(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  float x[4];
  for (int k = 0; k < 4; ++k)
    if (k < rows) x[k] = in[k * n + i];
  for (int row = 0; row < rows; ++row) {
    const float value = row < 4 ? x[row] : in[row * n + i];
    out[row * n + i] = ((c3 * value + c2) * value + c1) * value + c0;
  }
}
