// Two tiles of each matrix, one barrier for each step of k; a thread's rows are eight apart.
constexpr int kTile = 64, kDepth = 8, kRows = 8;

__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float a_tile[2][kTile][kDepth];
  __shared__ float b_tile[2][kDepth][kTile];
  const int thread = threadIdx.x, row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int col = thread % kTile, row = thread / kTile;
  const auto load = [&](int stage, int k0) {
    const int a_row = row0 + thread / kDepth, a_p = k0 + thread % kDepth;
    const int b_p = k0 + thread / kTile, b_col = col0 + thread % kTile;
    a_tile[stage][thread / kDepth][thread % kDepth] =
        a_row < m && a_p < k ? A[a_row * k + a_p] : 0.0f;
    b_tile[stage][thread / kTile][thread % kTile] =
        b_p < k && b_col < n ? B[b_p * n + b_col] : 0.0f;
  };
  float sum[kRows] = {};
  load(0, 0);
  __syncthreads();
  for (int k0 = 0, stage = 0; k0 < k; k0 += kDepth, stage ^= 1) {
    if (k0 + kDepth < k) load(stage ^ 1, k0 + kDepth);
    for (int p = 0; p < kDepth; ++p) {
      const float b = b_tile[stage][p][col];
      for (int i = 0; i < kRows; ++i) sum[i] += a_tile[stage][row + kRows * i][p] * b;
    }
    __syncthreads();
  }
  for (int i = 0; i < kRows; ++i)
    if (row0 + row + kRows * i < m && col0 + col < n)
      C[(row0 + row + kRows * i) * n + col0 + col] = sum[i];
}
