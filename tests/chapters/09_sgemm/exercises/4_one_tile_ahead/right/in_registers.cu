// Ahead without asynchronous copies: the next tile is on its way to registers.
__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][32], b[2][32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 32;
  float next[4];
  const auto ask = [&](int tile) {
    for (int i = 0; i < 4; ++i)
      next[i] = tile < tiles ? B[(warp + 8 * i) * n + tile * 32 + lane] : 0.0f;
  };
  for (int i = warp; i < 32; i += 8) a[i][lane] = A[i * 32 + lane];
  ask(blockIdx.x);
  for (int tile = blockIdx.x, place = 0; tile < tiles; tile += gridDim.x, place ^= 1) {
    for (int i = 0; i < 4; ++i) b[place][warp + 8 * i][lane] = next[i];
    ask(tile + gridDim.x);
    __syncthreads();
    for (int row = warp; row < 32; row += 8) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * 32 + lane] = sum;
    }
  }
}
