// The next four rows are loaded before these four are stored.
__global__ void polynomial(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  float now[4], next[4];
  for (int k = 0; k < 4; ++k) now[k] = k < rows ? in[k * n + i] : 0;
  for (int row = 0; row < rows; row += 4) {
    for (int k = 0; k < 4; ++k)
      if (row + 4 + k < rows) next[k] = in[(row + 4 + k) * n + i];
    for (int k = 0; k < 4; ++k) {
      if (row + k < rows) out[(row + k) * n + i] = ((c3 * now[k] + c2) * now[k] + c1) * now[k] + c0;
      now[k] = next[k];
    }
  }
}
