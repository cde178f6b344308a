// Exercise 03.4: a window of the picture. `./course check 03 --exercise 4` says how far you are.

/// Cuts a window of 32 x 8 pixels out of a picture: each of the eight warps copies a row of 32
/// pixels. The picture begins at a line. Given: nothing to do here.
template <class Pixel>
__device__ void cut(int width, int left, const Pixel* picture, Pixel* window) {
  const int col = threadIdx.x, row = threadIdx.y;
  window[row * 32 + col] = picture[row * width + left + col];
}

__global__ void cut_bytes(int width, int left, const unsigned char* picture,
                          unsigned char* window) {
  cut(width, left, picture, window);
}

__global__ void cut_floats(int width, int left, const float* picture, float* window) {
  cut(width, left, picture, window);
}

/// The Mandelbrot set of chapter 00, with one byte per pixel: the number of steps. How many sectors
/// do the loads of all eight warps take together? Work it out on paper, and write it down here.
__global__ void answers(int* sectors) {
#ifdef COURSE_SOLUTION
  sectors[0] = 8;
  sectors[1] = 16;
  sectors[2] = 15;
  sectors[3] = 40;
#else
  // TODO: your answer
  sectors[0] = 0;  // cut_bytes, the picture is 896 pixels wide, the window begins at column 0
  sectors[1] = 0;  // the same, but the window begins at column 11
  sectors[2] = 0;  // cut_bytes, the picture is 900 pixels wide, the window begins at column 0
  sectors[3] = 0;  // cut_floats, 896 pixels wide, from column 11: a pixel has four bytes here
#endif
}
