// No element of B stays in a register: each row loads it again, four steps of k at a time.
//! shared loads, wavefronts
//= wavefronts of a warp for each p
__global__ void sgemm_thread_tile(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float4 a_tile[64][2], b_tile[64][3];  // [rows of the tile, k], and B turned
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64, t = threadIdx.x;
  const int col = t % 64, row = t / 64 * 8;
  float sum[8] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    const int p_of_a = k0 + t % 8, p_of_b = k0 + t / 64;
    const bool has_a = row0 + t / 8 < m && p_of_a < k, has_b = p_of_b < k && col0 + col < n;
    reinterpret_cast<float*>(a_tile)[t] = has_a ? A[(row0 + t / 8) * k + p_of_a] : 0.0f;
    reinterpret_cast<float*>(b_tile[col])[t / 64] = has_b ? B[p_of_b * n + col0 + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      for (int q = 0; q < 2; ++q) {
        const float4 a = a_tile[row + i][q], b = b_tile[col][q];
        sum[i] = sum[i] + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
      }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    if (row0 + row + i < m && col0 + col < n) C[(row0 + row + i) * n + col0 + col] = sum[i];
}
