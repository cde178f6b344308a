// A thread copies its whole column first: that is memory again, and it ends somewhere.
//= at an address that is not the device's
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  float column[130000], w[3];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int tap = 0; tap < 3; ++tap) w[tap] = weights[tap];
  for (int row = 0; row < rows; ++row) column[row] = in[row * n + i];
  for (int row = 0; row < rows; ++row) {
    float sum = w[0] * column[row];
    if (row > 0) sum += w[1] * column[row - 1];
    if (row > 1) sum += w[2] * column[row - 2];
    out[row * n + i] = sum;
  }
}
