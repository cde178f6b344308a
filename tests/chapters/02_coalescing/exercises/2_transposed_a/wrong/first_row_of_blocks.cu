// Each block of the first row of blocks takes all rows of C in its columns.
//! all warps
//= requests of the busiest warp
__global__ void sgemm_transposed_a(int m, int n, int k, const float* A, const float* B, float* C) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.y != 0 || col >= n) return;
  for (int row = threadIdx.y; row < m; row += blockDim.y) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += A[p * m + row] * B[p * n + col];
    C[row * n + col] = sum;
  }
}
