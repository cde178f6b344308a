// Exercise 01.5: better neighbours. `./course check 01 --exercise 5` says how far you are.

/// Draws the Mandelbrot set in tiles of 32 x 8 pixels, a tile for each block of 256 threads in a
/// line. Now the warps take fewer rounds.
///
/// Each round stores how far the pixel has come. Nobody would do that for speed: here it makes the
/// rounds visible, since a warp makes one request for each of its rounds.
/// @pre  the grid covers width x height with tiles of 32 x 8, in x and y
__global__ void mandelbrot_tiles(int width, int height, int most,
                                 int* steps) {  // [height, width]
#ifdef COURSE_SOLUTION
  // A warp is a piece of 8 x 4 pixels; four of them lie side by side.
  const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  const int across = warp % 4 * 8 + lane % 8;
  const int down = warp / 4 * 4 + lane / 8;
#else
  // TODO: a warp is a line of 32 pixels. Which 32 would have more in common?
  const int across = threadIdx.x % 32;
  const int down = threadIdx.x / 32;
#endif
  const int col = 32 * blockIdx.x + across;
  const int row = 8 * blockIdx.y + down;
  if (col >= width || row >= height) return;

  const float c_x = fmaf(3.0f / width, col, -2.25f);
  const float c_y = fmaf(2.5f / height, row, -1.25f);
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
