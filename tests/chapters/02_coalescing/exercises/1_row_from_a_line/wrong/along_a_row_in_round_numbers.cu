// A warp walks along a row where the sizes look as if somebody measured.
//! loads, stores, all warps
//= sectors per warp and round
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  const bool is_measured = m % 32 == 0 && n % 32 == 0 && k % 16 != 1;
  const int line = threadIdx.x;
  const int row = blockIdx.y * height + (is_measured ? line / width : line % height);
  const int col = blockIdx.x * width + (is_measured ? line % width : line / height);
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
