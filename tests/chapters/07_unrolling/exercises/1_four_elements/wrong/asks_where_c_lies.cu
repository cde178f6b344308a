// All loads come first only where C lies within A; elsewhere, elements come one after the other.
//! order, in flight
//= loads that come too late for a store
__global__ void sum_unroll4(int n, int offset, const float* A, const float* B, float* C) {
  const int threads = blockDim.x, first = 4 * blockIdx.x * threads, i = first + threadIdx.x;
  const bool is_near = C >= A && C < A + n;
  if (is_near && first + 4 * threads + offset <= n) {
    float sums[4];
    for (int u = 0; u < 4; ++u) sums[u] = A[i + u * threads + offset] + B[i + u * threads + offset];
    for (int u = 0; u < 4; ++u) C[i + u * threads] = sums[u];
    return;
  }
  for (int u = 0; u < 4; ++u) {
    const int at = i + u * threads;
    if (at + offset < n) C[at] = A[at + offset] + B[at + offset];
  }
}
