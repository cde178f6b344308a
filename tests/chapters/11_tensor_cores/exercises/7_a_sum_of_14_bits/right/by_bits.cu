// Bits below the last one are masked, in the floats themselves.
__device__ float keep(float x, int last) {
  const int below = last - ((__float_as_int(x) >> 23 & 255) - 127 - 23);
  if (below <= 0) return x;
  return below > 23 ? 0.0f : __int_as_float(__float_as_int(x) & -1 << below);
}

__device__ int exponent(float x) { return (__float_as_int(x) >> 23 & 255) - 127; }

__global__ void sum_rows(int rows, int terms, const float* products, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* of_row = products + row * terms;
  float sum = 0.0f;
  for (int p = 0; p < terms; p += 32) {
    const int end = min(p + 32, terms);
    int largest = exponent(sum);
    for (int q = p; q < end; ++q) largest = max(largest, exponent(of_row[q]));
    float total = keep(sum, largest - 13);
    for (int q = p; q < end; ++q) total += keep(of_row[q], largest - 13);
    sum = keep(total, exponent(total) - 13);
  }
  sums[row] = sum;
}
