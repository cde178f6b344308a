// A k-tile of 16: half as many rounds of the loop over k. Rows are padded, or they met in the
// banks.
/// C = A B with a 2-D thread tile: a block has a tile of 64 x 64 elements of C and only 64 threads,
/// so each of them has 64 elements. At most 16 shared loads for 64 products, and no bank conflict.
///
/// The tiles of A and B are loaded already. Which 64 elements a thread has is up to you: its rows
/// and columns need not be neighbours. Work out on paper which banks the lanes of a warp read,
/// before you write the loop. The grid covers n in x and m in y.
__global__ void sgemm_square_tile(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C) {      // [m, n]
  constexpr int kTileM = 64, kTileN = 64, kTileK = 16;
  constexpr int kThreads = 64;
  [[maybe_unused]] constexpr int kThreadM = 8, kThreadN = 8;  // elements of C per thread
  [[maybe_unused]] __shared__ float a_tile[kTileM][kTileK + 1];
  [[maybe_unused]] __shared__ float b_tile[kTileK][kTileN];
  const int row0 = blockIdx.y * kTileM, col0 = blockIdx.x * kTileN;
  // A thread's rows are 8 apart, and so are its columns: neighbouring lanes have neighbouring ones.
  const int row = threadIdx.x / 8, col = threadIdx.x % 8;
  float sum[kThreadM][kThreadN] = {};

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
      float a[kThreadM], b[kThreadN];
      for (int i = 0; i < kThreadM; ++i) a[i] = a_tile[row + 8 * i][p];
      for (int j = 0; j < kThreadN; ++j) b[j] = b_tile[p][col + 8 * j];
      for (int i = 0; i < kThreadM; ++i)
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i] * b[j];
    }

    __syncthreads();
  }

  for (int i = 0; i < kThreadM; ++i)
    for (int j = 0; j < kThreadN; ++j) {
      const int c_row = row0 + row + 8 * i, c_col = col0 + col + 8 * j;
      if (c_row < m && c_col < n) C[c_row * n + c_col] = sum[i][j];
    }
}
