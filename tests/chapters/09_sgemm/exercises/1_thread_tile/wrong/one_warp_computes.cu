// All threads load the tiles; one warp of sixteen works out the products.
//! shared loads
//= shared requests of the busiest warp for each p
__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float a_tile[8][64], b_tile[8][64];
  const int thread = threadIdx.x, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float sum[64][2] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    const int row = row0 + thread / 8, a_p = k0 + thread % 8;
    const int col = col0 + thread % 64, b_p = k0 + thread / 64;
    a_tile[thread % 8][thread / 8] = row < m && a_p < k ? A[row * k + a_p] : 0.0f;
    b_tile[thread / 64][thread % 64] = b_p < k && col < n ? B[b_p * n + col] : 0.0f;
    __syncthreads();
    if (thread < 32) {
      for (int p = 0; p < 8; ++p) {
        const float b[2] = {b_tile[p][thread], b_tile[p][thread + 32]};
        for (int i = 0; i < 64; ++i)
          for (int j = 0; j < 2; ++j) sum[i][j] += a_tile[p][i] * b[j];
      }
    }
    __syncthreads();
  }
  if (thread >= 32) return;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int row = row0 + i, col = col0 + thread + 32 * j;
      if (row < m && col < n) C[row * n + col] = sum[i][j];
    }
  }
}
