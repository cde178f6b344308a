// Thinks of the turned picture: the block has a tile of 8 columns and 32 rows there.
__global__ void turn(int width, int height, const int* in, int* out) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * 8 + thread % 8, y = blockIdx.x * 32 + thread / 8;
  if (x >= height || y >= width) return;
  const int from = (height - 1 - x) * width + y;
  out[y * height + x] = in[from];
}
