// Four rows are loaded first, and then loaded again one by one.
//! order, requests
//= requests of the busiest warp
__global__ void polynomial(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  for (int row = 0; row < rows; row += 4) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      if (row + k < rows) sum += in[(row + k) * n + i];
    for (int k = 0; k < 4; ++k) {
      if (row + k >= rows) continue;
      const float x = in[(row + k) * n + i] + 0 * sum;
      out[(row + k) * n + i] = ((c3 * x + c2) * x + c1) * x + c0;
    }
  }
}
