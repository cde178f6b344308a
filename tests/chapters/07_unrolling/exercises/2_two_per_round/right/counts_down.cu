// Counts what is left for the thread, two at a time.
__global__ void sum_grid_stride2(int n, int offset, const float* A, const float* B, float* C) {
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  int left = first + offset < n ? (n - offset - 1 - first) / stride + 1 : 0;
  int i = first;
  for (; left >= 2; left -= 2, i += 2 * stride) {
    float sums[2] = {A[i + offset], A[i + offset + stride]};
    sums[0] += B[i + offset];
    sums[1] += B[i + offset + stride];
    C[i] = sums[0];
    C[i + stride] = sums[1];
  }
  if (left == 1) C[i] = A[i + offset] + B[i + offset];
}
