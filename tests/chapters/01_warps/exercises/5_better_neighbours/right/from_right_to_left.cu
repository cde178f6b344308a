// Pieces of 8 x 4, from the lower right corner on, and a loop with its end at the top.
__global__ void mandelbrot_tiles(int width, int height, int most, int* steps) {
  const int warp = 7 - (threadIdx.x >> 5), lane = 31 - (threadIdx.x & 31);
  const int col = 32 * blockIdx.x + (warp & 3) * 8 + (lane & 7);
  const int row = 8 * blockIdx.y + (warp >> 2) * 4 + (lane >> 3);
  if (row >= height || col >= width) return;
  int* const mine = &steps[row * width + col];
  const float c_x = fmaf(3.0f / width, col, -2.25f), c_y = fmaf(2.5f / height, row, -1.25f);
  float x = 0.0f, y = 0.0f;
  int step = 0;
  *mine = 0;
  while (step < most && fmaf(y, y, x * x) <= 4.0f) {
    const float y_next = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x * x) + c_x;
    y = y_next;
    *mine = ++step;
  }
}
