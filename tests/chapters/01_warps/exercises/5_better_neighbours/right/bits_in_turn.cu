// The bits of the thread's number go to x and y in turn, as on a curve that fills the tile.
__global__ void mandelbrot_tiles(int width, int height, int most, int* steps) {
  const int i = threadIdx.x;
  const int across = (i & 1) | (i >> 1 & 2) | (i >> 2 & 4) | (i >> 3 & 24);
  const int down = (i >> 1 & 1) | (i >> 2 & 2) | (i >> 3 & 4);
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
