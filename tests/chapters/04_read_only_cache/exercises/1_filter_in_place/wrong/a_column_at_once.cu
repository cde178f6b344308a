// The whole column in registers: there are not that many.
//! result, loads, stores
//= result 0/2: wrong with
__global__ void filter_columns(int n, int rows, const float* weights, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  constexpr int kMost = 128;
  float column[kMost];
  for (int row = 0; row < rows && row < kMost; ++row) column[row] = in[row * n + i];
  const float kept[] = {weights[0], weights[1], weights[2]};
  for (int row = 0; row < rows && row < kMost; ++row) {
    float sum = kept[0] * column[row];
    if (row >= 1) sum += kept[1] * column[row - 1];
    if (row >= 2) sum += kept[2] * column[row - 2];
    out[row * n + i] = sum;
  }
}
