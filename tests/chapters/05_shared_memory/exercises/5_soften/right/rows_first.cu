// In two steps: sums of three in a row, and then of three such sums.
__global__ void soften(int width, int height, const int* in, int* out) {
  __shared__ int pixels[34][34], sums[34][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  const auto pixel = [&](int r, int c) {
    return r < 0 || c < 0 || r >= height || c >= width ? 0 : in[r * width + c];
  };
  pixels[y + 1][x + 1] = pixel(row, col);
  if (y == 0) pixels[0][x + 1] = pixel(row - 1, col);
  if (y == 31) pixels[33][x + 1] = pixel(row + 1, col);
  if (x == 0) pixels[y + 1][0] = pixel(row, col - 1);
  if (x == 31) pixels[y + 1][33] = pixel(row, col + 1);
  if (x == 0 && y == 0) pixels[0][0] = pixel(row - 1, col - 1);
  if (x == 31 && y == 0) pixels[0][33] = pixel(row - 1, col + 1);
  if (x == 0 && y == 31) pixels[33][0] = pixel(row + 1, col - 1);
  if (x == 31 && y == 31) pixels[33][33] = pixel(row + 1, col + 1);
  __syncthreads();
  for (int r = y; r < 34; r += 32) sums[r][x] = pixels[r][x] + pixels[r][x + 1] + pixels[r][x + 2];
  __syncthreads();
  if (row < height && col < width)
    out[row * width + col] = sums[y][x] + sums[y + 1][x] + sums[y + 2][x];
}
