// Half of a warp has even columns, the other half odd ones 32 columns further on.
//! apart
//= no sectors per load request of evenly spaced columns
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int column = (2 * lane + lane / 16) ^ (warp % 2);
  const int i = blockIdx.x * blockDim.x + warp / 2 * 64 + column;
  if (i >= n) return;
  float result = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = table[row * n + i];
    result = i % 2 == 0 ? result + value : fmaxf(result, value);
  }
  out[i] = result;
}
