// Exercise 07.6: count by colour. `./course check 07 --exercise 6` says how far you are.

/// Counts the pixels of each colour. Some pixels are transparent: their colour is -1, and nobody
/// counts them.
///
/// A warp adds once for each colour among its 32 pixels, however many of them have it.
/// @pre  the grid covers n; blocks are one-dimensional, in whole warps; counts are 0
__global__ void count_by_colour(int n,
                                const int* colours,  // [n]: an index of counts, or -1
                                int* counts) {       // one for every colour
#ifdef COURSE_SOLUTION
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kTransparent = -1;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int colour = i < n ? colours[i] : kTransparent;

  const unsigned painted = __ballot_sync(kWholeWarp, colour != kTransparent);
  if (colour == kTransparent) return;

  const unsigned alike = __match_any_sync(painted, colour);
  if (lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
#else
  // TODO: which lanes have a pixel to count, and which of them the same colour? Who counts for all?
#endif
}
