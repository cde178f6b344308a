// In double, with divisions.
__global__ void sum_rows(int rows, int terms, const float* products, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0;
  for (int p = 0; p < terms; p += 32) {
    double most = fabs(sum);
    for (int q = p; q < min(p + 32, terms); ++q)
      most = fmax(most, fabs(double(products[row * terms + q])));
    if (most == 0.0) continue;
    double unit = exp2(floor(log2(most)) - 13.0);
    double total = trunc(sum / unit);
    for (int q = p; q < min(p + 32, terms); ++q) total += trunc(products[row * terms + q] / unit);
    for (; fabs(total) >= 16384.0; unit *= 2.0) total = trunc(total / 2.0);
    sum = total * unit;
  }
  sums[row] = float(sum);
}
