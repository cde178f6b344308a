// The first warp of a block takes all of its columns, the even ones first.
//! loads
//= requests of the busiest warp
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  if (threadIdx.x >= 32) return;
  for (int first = 0; first < blockDim.x; first += 64) {
    for (int side = 0; side < 2; ++side) {
      const int i = blockIdx.x * blockDim.x + first + 2 * threadIdx.x + side;
      float result = 0.0f;
      for (int row = 0; row < rows && i < n; ++row) {
        const float value = table[row * n + i];
        result = side == 0 ? result + value : fmaxf(result, value);
      }
      if (i < n) out[i] = result;
    }
  }
}
