// All of B first; A is added to it where it stands. The tail counts what is left for the thread.
__global__ void sum_unroll4(int n, int offset, const float* A, const float* B, float* C) {
  const int count = n - offset, t = blockDim.x;
  const int begin = blockIdx.x * t * 4, end = begin + 4 * t;
  int i = begin + threadIdx.x;
  float sums[4];
  if (end > count) {
    for (int left = count - i; left > 0; left -= t, i += t) C[i] = A[offset + i] + B[offset + i];
    return;
  }
  for (float& sum : sums) {
    sum = B[offset + i];
    i += t;
  }
  for (int u = 3; u >= 0; --u) sums[u] += A[offset + (i -= t)];
  for (const float sum : sums) {
    C[i] = sum;
    i += t;
  }
}
