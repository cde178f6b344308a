// With shared memory after all: the tile comes in along rows, and leaves along rows.
__global__ void turn(int width, int height, const int* in, int* out) {
  __shared__ int tile[8][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 8;
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const int row = top + thread % 8, col = left + thread / 8;
  if (row < height && col < width)
    out[col * height + height - 1 - row] = tile[thread % 8][thread / 8];
}
