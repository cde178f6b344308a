// No padding: an exclusive or sends the pixels of a column into different banks.
__global__ void turn_through_tile(int width, int height, const int* in, int* out) {
  __shared__ int tile[32 * 32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = 32 * blockIdx.x, top = 32 * blockIdx.y;
  if (left + x < width && top + y < height)
    tile[32 * y + (x ^ y)] = in[(top + y) * width + left + x];
  __syncthreads();
  if (left + y < width && top + x < height)
    out[(left + y) * height + height - 1 - top - x] = tile[32 * x + (x ^ y)];
}
