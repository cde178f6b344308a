// A k-tile of 16: half as many rounds of the loop over k, and as many products.
/// C = A B with a 1-D thread tile, from the shared tile of step 03: a block has a tile of 64 x 64
/// elements of C, but only 512 threads. At most 9 shared loads for 8 products; step 03 takes 2 for
/// each. Half of step 03's sectors.
///
/// The tiles of A and B are loaded already. The grid covers n in x and m in y.
__global__ void sgemm_thread_tile(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C) {      // [m, n]
  constexpr int kTileM = 64, kTileN = 64, kTileK = 16;
  constexpr int kThreadM = 8;  // elements of C per thread
  constexpr int kThreads = kTileM * kTileN / kThreadM;
  [[maybe_unused]] __shared__ float a_tile[kTileM][kTileK];
  [[maybe_unused]] __shared__ float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM, col0 = blockIdx.x * kTileN;
  const int col = threadIdx.x % kTileN;
  const int row = threadIdx.x / kTileN * kThreadM;  // of the thread's first element, in the tile

  float sum[kThreadM] = {};
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads) {
      const int a_row = row0 + i / kTileK, p = k0 + i % kTileK;
      a_tile[i / kTileK][i % kTileK] = a_row < m && p < k ? A[a_row * k + p] : 0.0f;
    }
    for (int i = threadIdx.x; i < kTileK * kTileN; i += kThreads) {
      const int p = k0 + i / kTileN, b_col = col0 + i % kTileN;
      b_tile[i / kTileN][i % kTileN] = p < k && b_col < n ? B[p * n + b_col] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < kTileK; ++p) {
      const float b = b_tile[p][col];
      for (int i = 0; i < kThreadM; ++i) sum[i] += a_tile[row + i][p] * b;
    }

    __syncthreads();
  }

  for (int i = 0; i < kThreadM; ++i)
    if (row0 + row + i < m && col0 + col < n) C[(row0 + row + i) * n + col0 + col] = sum[i];
}
