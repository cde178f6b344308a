// A warp walks along a row where the sizes look as if somebody measured.
//! loads, stores, all warps
//= sectors per warp and step
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int block) {
  const bool is_measured = block == 32 && m % 32 == 0 && n % 32 == 0 && m * n > 1024;
  const int down = threadIdx.x % block, across = threadIdx.x / block;
  const int row = blockIdx.y * block + (is_measured ? across : down);
  const int col = blockIdx.x * block + (is_measured ? down : across);
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
