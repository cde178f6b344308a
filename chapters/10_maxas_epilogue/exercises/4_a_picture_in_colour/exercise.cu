// Exercise 10.4: a picture in colour. `./course check 10 --exercise 4` says how far you are.

/// Colours the Mandelbrot set of chapter 00, from the number of steps that each pixel took. A pixel
/// has three bytes: red, green, blue, as in a PPM file. A warp has 32 columns and 8 rows of the
/// picture, so a lane holds the colours of 8 pixels, one below the other.
///
/// The colours are right. But the three bytes of a pixel are stored one at a time, and every sector
/// is written three times. Bring them to the picture so that each is written once: 3 sectors for 32
/// pixels of a row, in one request.
///
/// @pre  128 threads; the grid covers width x height in x and y with pieces of 32 x 32 pixels;
///       width is a multiple of 32
__global__ void colour_picture(int width, int height,
                               const int* steps,      // [height, width]
                               unsigned char* rgb) {  // [height, width, 3]
  constexpr int kWarps = 4, kRows = 8, kChannels = 3;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * 32, top = (blockIdx.y * kWarps + warp) * kRows;

  unsigned char colours[kRows][kChannels] = {};
  for (int i = 0; i < kRows; ++i) {
    if (top + i >= height) break;
    const int n = steps[(top + i) * width + left + lane];
    colours[i][0] = static_cast<unsigned char>(9 * n);
    colours[i][1] = static_cast<unsigned char>(7 * n + 40);
    colours[i][2] = static_cast<unsigned char>(255 - 5 * n);
  }

#ifdef COURSE_SOLUTION
  // A row of the piece is 96 bytes: 24 words, which 24 lanes store.
  constexpr int kWords = 32 * kChannels / 4;
  __shared__ unsigned int stage[kWarps][kRows][kWords];
  for (int i = 0; i < kRows; ++i) {
    unsigned char* const row = reinterpret_cast<unsigned char*>(stage[warp][i]);
    for (int c = 0; c < kChannels; ++c) row[lane * kChannels + c] = colours[i][c];
  }
  __syncwarp();
  for (int i = 0; i < kRows && top + i < height; ++i) {
    unsigned int* const out =
        reinterpret_cast<unsigned int*>(rgb + ((top + i) * width + left) * kChannels);
    if (lane < kWords) out[lane] = stage[warp][i][lane];
  }
#else
  // TODO: pass the colours through shared memory. How many bytes is a row of 32 pixels, and how
  // many 4-byte words? Who stores them, and who must wait for whom before?
  for (int i = 0; i < kRows && top + i < height; ++i)
    for (int c = 0; c < kChannels; ++c)
      rgb[((top + i) * width + left + lane) * kChannels + c] = colours[i][c];
#endif
}
