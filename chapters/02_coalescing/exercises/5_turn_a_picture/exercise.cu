// Exercise 02.5: turn a picture. `./course check 02 --exercise 5` says how far you are.

/// Rotates a picture by a quarter turn, clockwise: its first row becomes the last column of `out`.
/// At most 12 sectors for each 32 pixels, loads and stores together. It takes no shared memory.
///
/// The result is right. But a warp loads 32 pixels of one row, in 4 sectors, and stores them into
/// 32 rows, in 32 sectors. Turn the lanes the other way, and the loads pay instead.
///
/// A sector does not care which row the next one is in. Which 32 pixels should a warp have?
///
/// @pre  a block has 32 x 8 threads, and a tile of 32 x 8 pixels; the grid covers the picture
__global__ void turn(int width, int height,
                     const int* in,  // [height, width]
                     int* out) {     // [width, height]
#ifdef COURSE_SOLUTION
  // The tile has eight patches, 8 pixels wide and 4 high: one for each warp.
  const int lane = threadIdx.x, patch = threadIdx.y;
  const int col = blockIdx.x * 32 + patch % 4 * 8 + lane % 8;
  const int row = blockIdx.y * 8 + patch / 4 * 4 + lane / 8;
#else
  // TODO: threadIdx.x is the lane, threadIdx.y the warp. Give each warp another piece of the tile.
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
#endif
  if (col >= width || row >= height) return;

  out[col * height + (height - 1 - row)] = in[row * width + col];
}
