// A k-tile of 32, and four neighbours of a row of A in one load.
constexpr int kTile = 64, kDepth = 32, kRows = 8, kThreads = 512;

__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ __align__(16) float a_tile[kTile][kDepth];
  __shared__ float b_tile[kDepth][kTile];
  const int thread = threadIdx.x, row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int col = thread % kTile, row = thread / kTile * kRows;
  float sum[kRows] = {};
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    for (int i = thread; i < kTile * kDepth; i += kThreads) {
      const int a_row = row0 + i / kDepth, a_p = k0 + i % kDepth;
      const int b_p = k0 + i / kTile, b_col = col0 + i % kTile;
      a_tile[i / kDepth][i % kDepth] = a_row < m && a_p < k ? A[a_row * k + a_p] : 0.0f;
      b_tile[i / kTile][i % kTile] = b_p < k && b_col < n ? B[b_p * n + b_col] : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < kDepth; p += 4) {
      const float b[4] = {b_tile[p][col], b_tile[p + 1][col], b_tile[p + 2][col],
                          b_tile[p + 3][col]};
      for (int i = 0; i < kRows; ++i) {
        const float4 a = *reinterpret_cast<const float4*>(&a_tile[row + i][p]);
        sum[i] += a.x * b[0] + a.y * b[1] + a.z * b[2] + a.w * b[3];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kRows; ++i)
    if (row0 + row + i < m && col0 + col < n) C[(row0 + row + i) * n + col0 + col] = sum[i];
}
