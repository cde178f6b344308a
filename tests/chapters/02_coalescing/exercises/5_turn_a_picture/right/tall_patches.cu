// Patches 4 wide and 8 high: eight sectors to load, four to store.
__global__ void turn(int width, int height, const int* in, int* out) {
  const int col = blockIdx.x * 32 + threadIdx.y * 4 + threadIdx.x % 4;
  const int row = blockIdx.y * 8 + threadIdx.x / 4;
  if (col < width && row < height) out[(col + 1) * height - 1 - row] = in[row * width + col];
}
