// The tile has the turned picture: pixels are turned on their way in.
__global__ void turn_through_tile(int width, int height, const int* in, int* out) {
  __shared__ int turned[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  if (col < width && row < height) turned[threadIdx.x][31 - threadIdx.y] = in[row * width + col];
  __syncthreads();
  const int to_row = blockIdx.x * 32 + threadIdx.y;
  const int to_col = height - 32 - static_cast<int>(blockIdx.y) * 32 + threadIdx.x;
  if (to_row < width && to_col >= 0 && to_col < height)
    out[to_row * height + to_col] = turned[threadIdx.y][threadIdx.x];
}
