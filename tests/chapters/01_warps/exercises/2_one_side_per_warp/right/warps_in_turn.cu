// Even warps take even columns, odd warps odd ones; the rows from the last to the first.
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int i = blockIdx.x * blockDim.x + (warp & ~1) * 32 + 2 * lane + (warp & 1);
  if (i < n) {
    const float* element = table + i + (rows - 1) * n;
    float result = 0.0f;
    if (warp & 1) {
      for (int row = rows; row-- > 0; element -= n) result = *element > result ? *element : result;
    } else {
      for (int row = rows; row-- > 0; element -= n) result += *element;
    }
    out[i] = result;
  }
}
