// There are tiles where the picture has whole ones. Elsewhere, each thread loads all nine pixels.
//= sectors loaded for 32 pixels
__global__ void soften(int width, int height, const int* in, int* out) {
  __shared__ int tile[34][34];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const int col = left + threadIdx.x, row = top + threadIdx.y;
  const auto pixel = [&](int y, int x) {
    return y >= 0 && y < height && x >= 0 && x < width ? in[y * width + x] : 0;
  };
  const bool is_whole = width % 32 == 0 && height % 32 == 0;
  if (is_whole) {
    for (int y = threadIdx.y; y < 34; y += 32)
      for (int x = threadIdx.x; x < 34; x += 32) tile[y][x] = pixel(top + y - 1, left + x - 1);
    __syncthreads();
  }
  if (col >= width || row >= height) return;
  int sum = 0;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      sum += is_whole ? tile[threadIdx.y + y][threadIdx.x + x] : pixel(row + y - 1, col + x - 1);
  out[row * width + col] = sum;
}
