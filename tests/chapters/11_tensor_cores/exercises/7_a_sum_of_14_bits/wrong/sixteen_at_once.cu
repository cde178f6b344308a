// Sixteen products at a time, as with bfloat16.
//! cut, stuck, signs, one sign
//= and an H100 gets
__device__ float cut(float x, int last) { return ldexpf(truncf(ldexpf(x, -last)), last); }

__device__ float add_products(float sum, int count, const float* products) {
  float most = fabsf(sum);
  for (int p = 0; p < count; ++p) most = fmaxf(most, fabsf(products[p]));
  if (most == 0.0f) return 0.0f;
  float total = cut(sum, ilogbf(most) - 13);
  for (int p = 0; p < count; ++p) total += cut(products[p], ilogbf(most) - 13);
  return total == 0.0f ? 0.0f : cut(total, ilogbf(total) - 13);
}

__global__ void sum_rows(int rows, int terms, const float* products, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int p = 0; p < terms; p += 16)
    sum = add_products(sum, min(16, terms - p), products + row * terms + p);
  sums[row] = sum;
}
