// One element after the other. Each lane loads 16 bytes where it needs 4, as its neighbours do, so
// that many bytes seem to be on their way.
//! order, in flight
//= loads that come too late for a store
/// A float by a load of the 16 bytes that it lies in: four times as many as anybody needs.
__device__ float by_four(const float* from, int i) {
  const float4 four = *reinterpret_cast<const float4*>(from + i / 4 * 4);
  return i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
}

__global__ void sum_unroll4(int n, int offset, const float* A, const float* B, float* C) {
  const int threads = blockDim.x, first = 4 * blockIdx.x * threads, i = first + threadIdx.x;
  const bool is_near = C > A && C < A + n;
  if (first + 4 * threads + offset + 3 > n || is_near) {
    float sums[4];
    for (int u = 0; u < 4; ++u) {
      const int at = i + u * threads + offset;
      sums[u] = at < n ? A[at] + B[at] : 0.0f;
    }
    for (int u = 0; u < 4; ++u)
      if (i + u * threads + offset < n) C[i + u * threads] = sums[u];
    return;
  }
  for (int u = 0; u < 4; ++u) {
    const int at = i + u * threads;
    C[at] = by_four(A, at + offset) + by_four(B, at + offset);
  }
}
