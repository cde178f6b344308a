// Exercise 03.2: a row pitch. `./course check 03 --exercise 2` says how far you are.

constexpr int kChannels = 3;  // red, green, blue: a byte each

/// The rows of a picture are `width` pixels long, and a pixel is three bytes. How many pixels
/// should lie between the beginnings of two rows, so that every row begins at a sector, and no more
/// memory is wasted than that takes? The picture itself begins at a sector.
__device__ int row_pitch(int width) {
#ifdef COURSE_SOLUTION
  // Row 1 begins at byte 3 x pitch, and 3 has no factor in common with 32. So a sector begins there
  // only if the pitch itself is a multiple of 32.
  constexpr int kPixels = 32;  // 96 bytes, which are three sectors
  return (width + kPixels - 1) / kPixels * kPixels;
#else
  // TODO: leave some pixels at the end of each row unused.
  return width;
#endif
}

/// Tells the check which pitch you choose. Given: nothing to do here.
__global__ void report_pitch(int width, int* pitch) { *pitch = row_pitch(width); }

/// The negative of a picture, with your pitch from row to row in both pictures; y is the row, x the
/// byte in the row. Given: nothing to do here.
__global__ void negative(int width, int pitch,
                         const unsigned char* in,  // [gridDim.y, pitch, kChannels]
                         unsigned char* out) {     // [gridDim.y, pitch, kChannels]
  const int row = blockIdx.y;
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= kChannels * width) return;

  const int byte = row * pitch * kChannels + k;
  out[byte] = 255 - in[byte];
}
