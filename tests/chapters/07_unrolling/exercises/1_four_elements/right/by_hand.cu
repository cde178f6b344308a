// Unrolled by hand, with pointers, from the last element to the first.
__global__ void sum_unroll4(int n, int offset, const float* A, const float* B, float* C) {
  const int t = blockDim.x, begin = blockIdx.x * 4 * t, i = begin + threadIdx.x;
  const float *a = A + offset + i, *b = B + offset + i;
  float* const c = C + i;
  if (begin + 4 * t > n - offset) {
    for (int u = 3; u >= 0; --u)
      if (i + u * t < n - offset) c[u * t] = a[u * t] + b[u * t];
    return;
  }
  const float a3 = a[3 * t], a2 = a[2 * t], a1 = a[t], a0 = *a;
  const float b3 = b[3 * t], b2 = b[2 * t], b1 = b[t], b0 = *b;
  c[3 * t] = a3 + b3;
  c[2 * t] = a2 + b2;
  c[t] = a1 + b1;
  *c = a0 + b0;
}
