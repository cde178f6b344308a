// A warp has four rows of eight columns: as few sectors, since eight floats are one.
__global__ void multiplication_table(int m, int n, const float* a, const float* b, float* table) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warp = thread / 32, lane = thread % 32, across = blockDim.x / 8;
  const int row = blockIdx.x * blockDim.x + warp / across * 4 + lane / 8;
  const int col = blockIdx.y * blockDim.x + warp % across * 8 + lane % 8;
  if (row < m && col < n) table[row * n + col] = a[row] * b[col];
}
