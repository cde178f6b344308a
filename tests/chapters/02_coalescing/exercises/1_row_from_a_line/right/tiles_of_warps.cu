// Where the tile allows it, a warp has two rows of 16 columns, from the last p to the first; nobody
// returns early, but loads what the last row and column load.
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  const int warp_width = width % 16 == 0 ? 16 : 8, warp_height = 32 / warp_width;
  const int across = width / warp_width;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.y * height + warp / across * warp_height + lane / warp_width;
  const int col = blockIdx.x * width + warp % across * warp_width + lane % warp_width;
  const float* const a = A + min(row, m - 1) * k;
  const float* const b = B + min(col, n - 1);
  float sum = 0.0f;
  for (int p = k; p-- > 0;) sum = fmaf(a[p], b[p * n], sum);
  if (row < m && col < n) C[row * n + col] = sum;
}
