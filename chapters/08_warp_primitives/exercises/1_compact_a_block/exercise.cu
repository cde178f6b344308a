// Exercise 08.1: compact a block. `./course check 08 --exercise 1` says how far you are.

/// Keeps the negative elements, side by side in out. *count says how many they are.
///
/// The elements of a block stay together and in their order. The blocks' places may come in any
/// order. A block takes all its places with one atomic operation, and a block that keeps nothing
/// takes none.
/// @pre  the grid covers n; blocks are one-dimensional, in 1 to 32 whole warps; *count is 0, and
///       out has room for all
__global__ void compact_blocks(int n,
                               const int* in,  // [n]
                               int* count,     // [1]
                               int* out) {     // [*count]
#ifdef COURSE_SOLUTION
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostWarps = 32;
  __shared__ int places[kMostWarps];
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int warps = blockDim.x / warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;

  const unsigned kept = __ballot_sync(kWholeWarp, value < 0);
  if (lane == 0) places[warp] = __popc(kept);
  __syncthreads();

  if (warp == 0) {
    const int kept_by_one = lane < warps ? places[lane] : 0;
    int up_to_it = kept_by_one;
    for (int offset = 1; offset < warpSize; offset *= 2) {
      const int below = __shfl_up_sync(kWholeWarp, up_to_it, offset);
      if (lane >= offset) up_to_it += below;
    }
    const int last = warpSize - 1;
    int first = 0;
    if (lane == last && up_to_it > 0) first = atomicAdd(count, up_to_it);
    first = __shfl_sync(kWholeWarp, first, last);
    if (lane < warps) places[lane] = first + up_to_it - kept_by_one;
  }
  __syncthreads();

  const unsigned below_me = (1u << lane) - 1;
  if (value < 0) out[places[warp] + __popc(kept & below_me)] = value;
#else
  // TODO: a lane needs three numbers to know its place: how many lanes below it keep something, how
  // many the warps below its own keep, and where the places of its block begin.
#endif
}
