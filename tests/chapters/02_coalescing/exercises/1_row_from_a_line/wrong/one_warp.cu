// One warp walks along all rows of C.
//= requests of the busiest warp
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  if (blockIdx.x != 0 || blockIdx.y != 0 || threadIdx.x >= 32) return;
  for (int row = 0; row < m; ++row) {
    for (int col = threadIdx.x; col < n; col += 32) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
      C[row * n + col] = sum;
    }
  }
}
