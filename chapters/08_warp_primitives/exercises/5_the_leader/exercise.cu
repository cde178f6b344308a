// Exercise 08.5: a leader who is not there. `./course check 08 --exercise 5` says how far you are.

/// Lists the black pixels of the picture, those that took `most` steps: their indices, in any
/// order. A warp takes its places in the list with one atomic operation.
///
/// One fault is planted. From the middle of the picture, which is all black, the list is right.
/// From the whole picture, indices go astray.
/// @pre  the grid covers n; blocks are one-dimensional, in whole warps; *count is 0
__global__ void list_black(int n, int most,
                           const int* steps,  // [n]
                           int* count,        // [1]
                           int* list) {       // [*count]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_black = i < n && steps[i] == most;
  const unsigned black = __ballot_sync(kWholeWarp, is_black);

  if (is_black) {
#ifdef COURSE_SOLUTION
    const int leader = __ffs(black) - 1;
#else
    const int leader = 0;  // TODO: there is one fault between the vote and the end of the kernel.
#endif
    int first = 0;
    if (lane == leader) first = atomicAdd(count, __popc(black));
    first = __shfl_sync(black, first, leader);
    const int place = __popc(black & ((1u << lane) - 1));
    list[first + place] = i;
  }
}
