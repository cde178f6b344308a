// Exercise 08.2: a race between warps. `./course check 08 --exercise 2` says how far you are.

constexpr int kMostWarps = 32;

#ifdef COURSE_SOLUTION
#else
// TODO: called once, this function does what it says. What happens if it is called again at once?
#endif
/// The least of a block's values, for every thread of the block.
/// @pre  all threads of the block call it; blocks are one-dimensional, in 1 to 32 whole warps
__device__ int least_of_block(int value) {
  constexpr unsigned kWholeWarp = 0xffffffff;
  __shared__ int least_of_warps[kMostWarps];
  const int warps = blockDim.x / warpSize;
#ifdef COURSE_SOLUTION
  __syncthreads();  // an earlier call's readers are done
#endif

  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value = min(value, __shfl_xor_sync(kWholeWarp, value, offset));
  if (threadIdx.x % warpSize == 0) least_of_warps[threadIdx.x / warpSize] = value;
  __syncthreads();

  int least = least_of_warps[0];
  for (int warp = 1; warp < warps; ++warp) least = min(least, least_of_warps[warp]);
  return least;
}

/// Stretches the contrast of each block's pixels: the darkest becomes 0 and the brightest 255. If
/// all are alike, they become 0.
///
/// The brightest is the darkest of the negative. One fault is planted in this file: warps race.
/// @pre  the grid covers n; blocks are one-dimensional, in 1 to 32 whole warps; pixels are from 0
///       to 4095
__global__ void stretch_contrast(int n,
                                 const int* pixels,  // [n]
                                 int* stretched) {   // [n]
  constexpr int kBrightest = 4095, kWhite = 255;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixel = i < n ? pixels[i] : 0;

  const int darkest = least_of_block(i < n ? pixel : kBrightest);
  const int brightest = -least_of_block(i < n ? -pixel : 0);
  if (i < n) stretched[i] = kWhite * (pixel - darkest) / max(brightest - darkest, 1);
}
