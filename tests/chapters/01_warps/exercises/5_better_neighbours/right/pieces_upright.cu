// Pieces that are 4 wide and 8 high: eight of them side by side.
__global__ void mandelbrot_tiles(int width, int height, int most, int* steps) {
  const int across = threadIdx.x / 32 * 4 + threadIdx.x % 4;
  const int down = threadIdx.x % 32 / 4;
  const int col = 32 * blockIdx.x + across, row = 8 * blockIdx.y + down;
  if (col >= width || row >= height) return;
  const float c_x = fmaf(3.0f / width, col, -2.25f), c_y = fmaf(2.5f / height, row, -1.25f);
  float x = 0.0f, y = 0.0f;
  for (int step = 0;; ++step) {
    steps[row * width + col] = step;
    const float x_squared = x * x;
    if (step == most || fmaf(y, y, x_squared) > 4.0f) break;
    const float y_next = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x_squared) + c_x;
    y = y_next;
  }
}
