// Exercise 08.6: count by colour. `./course check 08 --exercise 6` says how far you are.

/// Counts the pixels of each colour. Some pixels are transparent: their colour is -1, and nobody
/// counts them.
///
/// A warp takes 32 neighbouring pixels in each round. It adds once for each colour among them,
/// however many of them have it.
/// @pre  any grid of one-dimensional blocks, in whole warps; counts are 0
__global__ void count_by_colour(int n,
                                const int* colours,  // [n]: an index of counts, or -1
                                int* counts) {       // one for every colour
#ifdef COURSE_SOLUTION
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kTransparent = -1;
  const int lane = threadIdx.x % warpSize;
  const int grid_threads = gridDim.x * blockDim.x;

  // All lanes of a warp come to each round, or none: the first of them decides.
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += grid_threads) {
    const int colour = i < n ? colours[i] : kTransparent;
    const unsigned painted = __ballot_sync(kWholeWarp, colour != kTransparent);
    if (colour != kTransparent) {
      const unsigned alike = __match_any_sync(painted, colour);
      if (lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
    }
    __syncwarp();  // so that they load together in the next round
  }
#else
  // TODO: which lanes have a pixel to count, and which of them the same colour? Who counts for all?
#endif
}
