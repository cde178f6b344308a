// The block keeps its parts of a and b in shared memory.
__global__ void multiplication_table(int m, int n, const float* a, const float* b, float* table) {
  __shared__ float rows[32], cols[32];
  const int row = blockIdx.x * blockDim.x + threadIdx.y;
  const int col = blockIdx.y * blockDim.y + threadIdx.x;
  if (threadIdx.x == 0 && row < m) rows[threadIdx.y] = a[row];
  if (threadIdx.y == 0 && col < n) cols[threadIdx.x] = b[col];
  __syncthreads();
  if (row < m && col < n) table[row * n + col] = rows[threadIdx.y] * cols[threadIdx.x];
}
