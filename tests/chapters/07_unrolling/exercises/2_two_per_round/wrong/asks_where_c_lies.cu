// Two elements a round only where C lies within A.
//! order, in flight
//= loads that come too late for a store
__global__ void sum_grid_stride2(int n, int offset, const float* A, const float* B, float* C) {
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; C > A && C < A + n && i + stride + offset < n; i += 2 * stride) {
    const float first = A[i + offset] + B[i + offset];
    const float second = A[i + stride + offset] + B[i + stride + offset];
    C[i] = first;
    C[i + stride] = second;
  }
  for (; i + offset < n; i += stride) C[i] = A[i + offset] + B[i + offset];
}
