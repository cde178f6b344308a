// Exercise 05.5: soften a picture. `./course check 05 --exercise 5` says how far you are.

constexpr int kTile = 32;

/// Softens a picture: each pixel of `out` is the sum of the nine pixels around it, itself included.
/// Outside the picture, everything is black, 0.
///
/// The result is right, and each pixel is asked for nine times. Fetch a tile and what lies around
/// it, a *halo* of one pixel, into shared memory, once and all threads together. That makes at most
/// ten sectors loaded for 32 pixels.
///
/// @pre  blocks are 32 x 32, and the grid covers the picture
__global__ void soften(int width, int height,
                       const int* in,  // [height, width]
                       int* out) {     // [height, width]
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  const int col = left + threadIdx.x, row = top + threadIdx.y;
#ifdef COURSE_SOLUTION
  constexpr int kSide = kTile + 2;
  __shared__ int tile[kSide][kSide];
  for (int y = threadIdx.y; y < kSide; y += blockDim.y)
    for (int x = threadIdx.x; x < kSide; x += blockDim.x) {
      const int from_row = top + y - 1, from_col = left + x - 1;
      const bool is_inside =
          from_row >= 0 && from_row < height && from_col >= 0 && from_col < width;
      tile[y][x] = is_inside ? in[from_row * width + from_col] : 0;
    }
  __syncthreads();
  if (col >= width || row >= height) return;

  int sum = 0;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) sum += tile[threadIdx.y + y][threadIdx.x + x];
#else
  // TODO: fetch the tile and its halo, wait, and add up from there. Who must come to the barrier?
  if (col >= width || row >= height) return;

  int sum = 0;
  for (int y = row - 1; y <= row + 1; ++y)
    for (int x = col - 1; x <= col + 1; ++x)
      if (y >= 0 && y < height && x >= 0 && x < width) sum += in[y * width + x];
#endif
  out[row * width + col] = sum;
}
