// Eight rows at a time, and the rest one by one but loaded together.
__global__ void polynomial(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  float x[8];
  for (int row = 0; row < rows; row += 8) {
    const int count = min(8, rows - row);
    for (int k = 0; k < count; ++k) x[k] = in[(row + k) * n + i];
    for (int k = 0; k < count; ++k)
      out[(row + k) * n + i] = ((c3 * x[k] + c2) * x[k] + c1) * x[k] + c0;
  }
}
