// The corner of the tile, then the place in it, from the thread's number.
__global__ void multiplication_table(int m, int n, const float* a, const float* b, float* table) {
  struct {
    int row, col;
  } const corner = {static_cast<int>(blockIdx.x * blockDim.x),
                    static_cast<int>(blockIdx.y * blockDim.x)};
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, side = blockDim.x;
  const int row = corner.row + thread / side, col = corner.col + thread % side;
  float* const place = table + row * n + col;
  if (row < m && col < n) *place = __fmul_rn(a[row], b[col]);
}
