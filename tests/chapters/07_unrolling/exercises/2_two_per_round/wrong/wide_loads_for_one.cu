// One element a round, but where C overlaps A. In the first round each lane loads 16 bytes where it
// needs 4, so that many bytes seem to be on their way ever after.
//! order, in flight
//= loads that come too late for a store
/// A float by a load of the 16 bytes that it lies in: four times as many as anybody needs.
__device__ float by_four(const float* from, int i) {
  const float4 four = *reinterpret_cast<const float4*>(from + i / 4 * 4);
  return i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
}

__global__ void sum_grid_stride2(int n, int offset, const float* A, const float* B, float* C) {
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_near = C > A && C < A + n;
  int i = first;
  for (; is_near && i + stride + offset < n; i += 2 * stride) {
    const float one = A[i + offset] + B[i + offset];
    const float two = A[i + stride + offset] + B[i + stride + offset];
    C[i] = one;
    C[i + stride] = two;
  }
  for (; i + offset < n; i += stride) {
    const int at = i + offset;
    const bool is_wide = !is_near && i == first && stride + offset + 3 < n;
    C[i] = is_wide ? by_four(A, at) + by_four(B, at) : A[at] + B[at];
  }
}
