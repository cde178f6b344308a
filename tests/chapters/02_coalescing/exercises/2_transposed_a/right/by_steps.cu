// Threads go on by the size of the grid, and two steps of the loop at a time, into two sums.
__global__ void sgemm_transposed_a(int m, int n, int k, const float* A, const float* B, float* C) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += gridDim.x * blockDim.x) {
      float even = 0.0f, odd = 0.0f;
      int p = 0;
      for (; p + 1 < k; p += 2) {
        even += A[p * m + row] * B[p * n + col];
        odd += A[(p + 1) * m + row] * B[(p + 1) * n + col];
      }
      if (p < k) even += A[p * m + row] * B[p * n + col];
      C[row * n + col] = even + odd;
    }
  }
}
