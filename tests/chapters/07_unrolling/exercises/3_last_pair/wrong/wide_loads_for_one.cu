// No pair is ahead, but where C overlaps A. The first loads bring 16 bytes where 4 are needed, so
// that many bytes seem to be on their way ever after.
//! ahead, in flight
//= loads that come too late for a store
/// A float by a load of the 16 bytes that it lies in: four times as many as anybody needs.
__device__ float by_four(const float* from, int i) {
  const float4 four = *reinterpret_cast<const float4*>(from + i / 4 * 4);
  return i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
}

__global__ void sum_ahead(int n, const float* A, const float* B, float* C) {
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  if (C > A && C < A + n) {
    float next = first < n ? A[first] + B[first] : 0.0f;
    for (int i = first; i < n; i += stride) {
      const float sum = next;
      if (i + stride < n) next = A[i + stride] + B[i + stride];
      C[i] = sum;
    }
    return;
  }
  for (int i = first; i < n; i += stride) {
    const bool is_wide = i == first && stride + 3 <= n;
    C[i] = is_wide ? by_four(A, i) + by_four(B, i) : A[i] + B[i];
  }
}
