// Half of the threads take two columns each, with one load and one store.
//! loads, all threads
//= wanted: at least
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  const int pairs = blockDim.x / 2;
  const int first = blockIdx.x * blockDim.x + 2 * (threadIdx.x % pairs);
  if (n % 2 == 0) {
    if (threadIdx.x >= pairs || first >= n) return;
    float2 result = {0.0f, 0.0f};
    for (int row = 0; row < rows; ++row) {
      const float2 two = *reinterpret_cast<const float2*>(&table[row * n + first]);
      result = make_float2(result.x + two.x, fmaxf(result.y, two.y));
    }
    *reinterpret_cast<float2*>(&out[first]) = result;
    return;
  }
  const int i = first + threadIdx.x / pairs;
  if (i >= n) return;
  float result = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const float value = table[row * n + i];
    result = i % 2 == 0 ? result + value : fmaxf(result, value);
  }
  out[i] = result;
}
