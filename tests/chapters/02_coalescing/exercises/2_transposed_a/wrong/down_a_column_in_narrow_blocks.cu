// A warp walks along a row of C in blocks of 32 and more columns, and down a column in others.
//! stores
//= sectors stored per warp
__global__ void sgemm_transposed_a(int m, int n, int k, const float* A, const float* B, float* C) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const bool is_wide = blockDim.x % 32 == 0;
  const int y = is_wide ? threadIdx.y : thread % blockDim.y;
  const int x = is_wide ? threadIdx.x : thread / blockDim.y;
  const int row = blockIdx.y * blockDim.y + y, col = blockIdx.x * blockDim.x + x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[p * m + row] * B[p * n + col];
  C[row * n + col] = sum;
}
