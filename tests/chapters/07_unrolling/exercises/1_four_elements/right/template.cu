// The number of elements is a template's, and a block that is not whole goes on by its threads.
template <int kElements>
__device__ void sum_rows(int row, const float* a, const float* b, float* c) {
  float2 pairs[kElements];
#pragma unroll
  for (int u = 0; u < kElements; ++u) pairs[u] = make_float2(a[u * row], b[u * row]);
#pragma unroll
  for (int u = 0; u < kElements; ++u) c[u * row] = pairs[u].x + pairs[u].y;
}

__global__ void sum_unroll4(int n, int offset, const float* A, const float* B, float* C) {
  const int row = blockDim.x, begin = 4 * blockIdx.x * row, count = n - offset;
  const int mine = begin + threadIdx.x;
  if (count - begin >= 4 * row)
    return sum_rows<4>(row, A + offset + mine, B + offset + mine, C + mine);
  for (int i = mine; i < min(begin + 4 * row, count); i += row)
    C[i] = A[i + offset] + B[i + offset];
}
