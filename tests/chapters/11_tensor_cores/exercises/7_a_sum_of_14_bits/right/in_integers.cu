// The sum in units, as integers.
__device__ int units(float x, int last) { return __float2int_rz(ldexpf(x, -last)); }

__device__ float add_products(float sum, int count, const float* products) {
  float most = fabsf(sum);
  for (int p = 0; p < count; ++p) most = fmaxf(most, fabsf(products[p]));
  if (most == 0.0f) return 0.0f;

  int last = ilogbf(most) - 13;
  int total = units(sum, last);
  for (int p = 0; p < count; ++p) total += units(products[p], last);
  while (abs(total) >= 1 << 14) {
    total /= 2;
    ++last;
  }
  return ldexpf(float(total), last);
}

__global__ void sum_rows(int rows, int terms, const float* products, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int p = 0; p < terms; p += 32)
    sum = add_products(sum, min(32, terms - p), products + row * terms + p);
  sums[row] = sum;
}
