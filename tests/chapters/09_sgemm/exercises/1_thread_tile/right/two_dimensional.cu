// Two columns and four rows per thread; A lies transposed in shared memory, so that four rows of it
// are one load.
constexpr int kTile = 64, kDepth = 8, kThreads = 512;

__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ __align__(16) float a_tile[kDepth][kTile + 4];
  __shared__ __align__(16) float b_tile[kDepth][kTile];
  const int thread = threadIdx.x, row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int row = thread / 32 * 4, col = thread % 32;
  float sum[4][2] = {};
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    const int a_row = thread / kDepth, a_p = thread % kDepth;
    a_tile[a_p][a_row] = row0 + a_row < m && k0 + a_p < k ? A[(row0 + a_row) * k + k0 + a_p] : 0.0f;
    const int b_p = thread / kTile, b_col = thread % kTile;
    b_tile[b_p][b_col] = k0 + b_p < k && col0 + b_col < n ? B[(k0 + b_p) * n + col0 + b_col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < kDepth; ++p) {
      const float4 a = *reinterpret_cast<const float4*>(&a_tile[p][row]);
      const float b[2] = {b_tile[p][col], b_tile[p][col + 32]};
      for (int j = 0; j < 2; ++j) {
        sum[0][j] += a.x * b[j];
        sum[1][j] += a.y * b[j];
        sum[2][j] += a.z * b[j];
        sum[3][j] += a.w * b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      if (row0 + row + i < m && col0 + col + 32 * j < n)
        C[(row0 + row + i) * n + col0 + col + 32 * j] = sum[i][j];
}
