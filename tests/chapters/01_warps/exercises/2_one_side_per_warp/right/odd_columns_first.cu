// The first half of the block takes the odd columns, from the right to the left.
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  const int half = blockDim.x / 2;
  const bool sums = static_cast<int>(threadIdx.x) >= half;
  const int pair = half - 1 - threadIdx.x % half;
  const int i = blockIdx.x * blockDim.x + 2 * pair + (sums ? 0 : 1);
  if (i >= n) return;
  float result = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = table[row * n + i];
    if (sums) {
      result += value;
    } else {
      result = fmaxf(result, value);
    }
  }
  out[i] = result;
}
