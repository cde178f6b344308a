// A lies transposed, so that four rows of it are one load.
__global__ void sgemm_square_tile(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C) {      // [m, n]
  constexpr int kTileM = 64, kTileN = 64, kTileK = 8;
  constexpr int kThreads = 64;
  [[maybe_unused]] constexpr int kThreadM = 8, kThreadN = 8;  // elements of C per thread
  __shared__ __align__(16) float a_tile[kTileK][kTileM + 4];
  [[maybe_unused]] __shared__ float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM, col0 = blockIdx.x * kTileN;
  // Rows in two groups of four neighbours, 32 apart: four of them are one load.
  const int row = threadIdx.x / 8 * 4, col = threadIdx.x % 8;
  float sum[kThreadM][kThreadN] = {};

  for (int k0 = 0; k0 < k; k0 += kTileK) {
    for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads) {
      const int a_row = row0 + i / kTileK, p = k0 + i % kTileK;
      a_tile[i % kTileK][i / kTileK] = a_row < m && p < k ? A[a_row * k + p] : 0.0f;
    }
    for (int i = threadIdx.x; i < kTileK * kTileN; i += kThreads) {
      const int p = k0 + i / kTileN, b_col = col0 + i % kTileN;
      b_tile[i / kTileN][i % kTileN] = p < k && b_col < n ? B[p * n + b_col] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < kTileK; ++p) {
      __align__(16) float a[kThreadM], b[kThreadN];
      for (int half = 0; half < 2; ++half)
        *reinterpret_cast<float4*>(a + 4 * half) =
            *reinterpret_cast<const float4*>(&a_tile[p][row + 32 * half]);
      for (int j = 0; j < kThreadN; ++j) b[j] = b_tile[p][col + 8 * j];
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }

    __syncthreads();
  }

  for (int i = 0; i < kThreadM; ++i)
    for (int j = 0; j < kThreadN; ++j) {
      const int c_row = row0 + row + i / 4 * 32 + i % 4, c_col = col0 + col + 8 * j;
      if (c_row < m && c_col < n) C[c_row * n + c_col] = sum[i][j];
    }
}
