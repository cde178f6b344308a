// Exercise 05.1: a palette. `./course check 05 --exercise 1` says how far you are.

constexpr int kColours = 256;

/// Paints a picture: each pixel gets the colour that the palette has for its number of steps.
///
/// Each block fetches the palette into shared memory, once and all threads together. The colours of
/// the pixels come from there.
/// @pre  any grid of one-dimensional blocks, each of 32 threads or more
__global__ void paint(int pixels,
                      const int* steps,         // [pixels], each from 0 to kColours - 1
                      const unsigned* palette,  // [kColours]: 0xRRGGBB
                      unsigned* picture) {      // [pixels]
  [[maybe_unused]] __shared__ unsigned colours[kColours];
#ifdef COURSE_SOLUTION
  for (int k = threadIdx.x; k < kColours; k += blockDim.x) colours[k] = palette[k];
  __syncthreads();
#else
  // TODO: fetch the palette together, and wait.
#endif

  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += grid_threads) {
#ifdef COURSE_SOLUTION
    picture[i] = colours[steps[i]];
#else
    picture[i] = palette[steps[i]];  // TODO: from shared memory
#endif
  }
}
