// The number of elements per round is a template's.
template <int kUnroll>
__device__ int sum_rounds(int i, int stride, int count, const float* a, const float* b, float* c) {
  for (; i + (kUnroll - 1) * stride < count; i += kUnroll * stride) {
    float sums[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) sums[u] = a[i + u * stride] + b[i + u * stride];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) c[i + u * stride] = sums[u];
  }
  return i;
}

__global__ void sum_grid_stride2(int n, int offset, const float* A, const float* B, float* C) {
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i = sum_rounds<2>(i, stride, n - offset, A + offset, B + offset, C);
  sum_rounds<1>(i, stride, n - offset, A + offset, B + offset, C);
}
