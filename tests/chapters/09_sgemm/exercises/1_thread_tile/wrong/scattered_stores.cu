// A thread has eight neighbours of one row, so that the lanes of a warp store to places far apart.
//! stores
//= times the sectors of C
__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float a_tile[8][64 + 1];
  __shared__ float b_tile[8][64];
  const int thread = threadIdx.x, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  const int own_row = thread % 64, own_col = thread / 64 * 8;
  float sum[8] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    const int row = row0 + thread / 8, a_p = k0 + thread % 8;
    const int col = col0 + thread % 64, b_p = k0 + thread / 64;
    a_tile[thread % 8][thread / 8] = row < m && a_p < k ? A[row * k + a_p] : 0.0f;
    b_tile[thread / 64][thread % 64] = b_p < k && col < n ? B[b_p * n + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 8; ++p) {
      const float a = a_tile[p][own_row];
      for (int j = 0; j < 8; ++j) sum[j] += a * b_tile[p][own_col + j];
    }
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    if (row0 + own_row < m && col0 + own_col + j < n)
      C[(row0 + own_row) * n + col0 + own_col + j] = sum[j];
}
