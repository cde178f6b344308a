// The picture is worked out line by line. The stores come later, by warps of 8 x 4 pixels.
//! rounds, all warps
//= requests of the busiest warp
__global__ void mandelbrot_tiles(int width, int height, int most, int* steps) {
  __shared__ int taken[8][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float c_x = fmaf(3.0f / width, 32 * blockIdx.x + lane, -2.25f);
  const float c_y = fmaf(2.5f / height, 8 * blockIdx.y + warp, -1.25f);
  float x = 0.0f, y = 0.0f;
  int step = 0;
  while (step < most && fmaf(y, y, x * x) <= 4.0f) {
    const float next_y = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x * x) + c_x;
    y = next_y;
    ++step;
  }
  taken[warp][lane] = step;
  __syncthreads();
  const int across = warp % 4 * 8 + lane % 8, down = warp / 4 * 4 + lane / 8;
  const int col = 32 * blockIdx.x + across, row = 8 * blockIdx.y + down, all = taken[down][across];
  if (col >= width || row >= height) return;
  volatile int* const pixel = steps + row * width + col;
  for (int done = 0; done <= all; ++done) *pixel = done;
}
