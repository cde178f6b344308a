// Goes on by the size of the grid until no hole is left: in a low table, one block does it all.
//! all warps
//= requests of the busiest warp
__global__ void multiplication_table(int m, int n, const float* a, const float* b, float* table) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += gridDim.x * blockDim.x)
      table[row * n + col] = a[row] * b[col];
}
