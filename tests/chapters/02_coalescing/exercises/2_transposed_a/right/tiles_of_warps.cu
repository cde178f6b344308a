// Where the block allows it, a warp has two rows of 16 columns; and from the last p to the first.
__global__ void sgemm_transposed_a(int m, int n, int k, const float* A, const float* B, float* C) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const bool has_tiles = blockDim.x % 16 == 0 && blockDim.y % 2 == 0;
  const int across = blockDim.x / 16, warp = thread / 32, lane = thread % 32;
  const int y = has_tiles ? warp / across * 2 + lane / 16 : threadIdx.y;
  const int x = has_tiles ? warp % across * 16 + lane % 16 : threadIdx.x;
  const int row = blockIdx.y * blockDim.y + y, col = blockIdx.x * blockDim.x + x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = k - 1; p >= 0; --p) sum += A[p * m + row] * B[p * n + col];
  C[row * n + col] = sum;
}
