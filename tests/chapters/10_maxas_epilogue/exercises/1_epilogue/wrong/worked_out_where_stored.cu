// Each lane works out what it stores. Shared memory has some of B, in as many stores as the results
// would take; the lanes of A change places, so that they are not evenly spaced.
//! stores, staging, reads, banks
//= shared loads of a warp
__global__ void sgemm_with_epilogue(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float4 some_of_b[2][8][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32 ^ (threadIdx.x % 32 >> 2 & 1);
  const int row0 = blockIdx.x * 64 + lane, col0 = blockIdx.y * 64 + 32 * warp;
  const int cols = max(0, min(32, n - col0));
  for (int q = 0; q < 8; ++q) {
    float held[4] = {};
    for (int i = 0; i < 4; ++i)
      if (const int at = (4 * q + i) * 32 + lane; at < cols * k) held[i] = B[col0 * k + at];
    some_of_b[warp][q][lane] = make_float4(held[0], held[1], held[2], held[3]);
  }
  __syncwarp();
  float sums[2][32] = {};
  for (int p = 0; p < k; ++p) {
    const float upper = row0 < m ? A[p * m + row0] : 0.0f;
    const float lower = row0 + 32 < m ? A[p * m + row0 + 32] : 0.0f;
    for (int c = 0; c < cols; ++c) {
      const int at = c * k + p;
      const float4& four = some_of_b[warp][at / 128][at % 32];
      const float b = (&four.x)[at / 32 % 4];
      sums[0][c] += upper * b;
      sums[1][c] += lower * b;
    }
  }
  for (int c = 0; c < cols; ++c)
    for (int h = 0; h < 2; ++h)
      if (row0 + 32 * h < m) C[(col0 + c) * m + row0 + 32 * h] = sums[h][c];
}
