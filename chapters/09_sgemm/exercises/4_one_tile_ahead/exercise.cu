// Exercise 09.4: one tile ahead. `./course check 09 --exercise 4` says how far you are.

#include <cuda_pipeline.h>

/// C = A B, where A is small and B is wide. A block keeps A in shared memory and walks along B,
/// tile by tile: from a tile of 32 columns to the one that lies gridDim.x tiles further on.
///
/// C is right. But the block asks for a tile of B, waits until it is there, and multiplies; while
/// it multiplies, no copy is on its way. There is room for two tiles (double buffering). Let the
/// copies run one tile ahead, with only one barrier of the block for each tile.
///
/// fetch() and multiply() are right as they are.
///
/// @pre  256 threads, a grid of any size; n is a multiple of 32
__global__ void wide_product(int n,
                             const float* A,  // [32, 32]
                             const float* B,  // [32, n]
                             float* C) {      // [32, n]
  constexpr int kTile = 32, kWarps = 8;
  __shared__ float a[kTile][kTile], b[2][kTile][kTile];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int tiles = n / kTile;

  // Asks for the thread's elements of a tile of B. They are to arrive in b[place].
  const auto fetch = [&](int tile, int place) {
    for (int row = warp; row < kTile; row += kWarps)
      __pipeline_memcpy_async(&b[place][row][lane], &B[row * n + tile * kTile + lane],
                              sizeof(float));
  };
  // Needs all of a and b[place], which other warps have copied.
  const auto multiply = [&](int tile, int place) {
    for (int row = warp; row < kTile; row += kWarps) {
      float sum = 0.0f;
      for (int p = 0; p < kTile; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * kTile + lane] = sum;
    }
  };

  for (int row = warp; row < kTile; row += kWarps) a[row][lane] = A[row * kTile + lane];
#ifdef COURSE_SOLUTION
  const int stride = gridDim.x;
  int place = 0;
  if (int(blockIdx.x) < tiles) fetch(blockIdx.x, place);
  __pipeline_commit();
  for (int tile = blockIdx.x; tile < tiles; tile += stride) {
    __pipeline_wait_prior(0);  // the thread's own copies of this tile are there
    __syncthreads();           // so are all others', and nobody reads the other place any more
    if (tile + stride < tiles) fetch(tile + stride, 1 - place);
    __pipeline_commit();
    multiply(tile, place);
    place = 1 - place;
  }
#else
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    // TODO: ask for the next tile before you multiply this one. Who asks for the first? And which
    // of the barriers do you still need, now that the next tile has a place of its own?
    fetch(tile, 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    multiply(tile, 0);
    __syncthreads();
  }
#endif
}
