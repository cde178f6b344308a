// Exercise 07.1: the banks of the warps' sums. `./course check 07 --exercise 1` says how far you
// are.

/// The sum of each block's elements: a tree in every warp, then one tree for the warps' sums.
///
/// The result is right, but one fault costs time. The kernel is to be right for every n and for 1
/// to 32 warps in a block.
/// @pre  the grid covers n; blocks are one-dimensional, in whole warps
__global__ void block_sums(int n,
                           const int* in,  // [n]
                           int* sums) {    // [blocks]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostWarps = 32;
  __shared__ int partial[kMostWarps * kMostWarps];
  const int thread = threadIdx.x;
  const int warps = blockDim.x / warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(kWholeWarp, sum, offset);

#ifdef COURSE_SOLUTION
  const int stride = 1;
#else
  // TODO: in which banks do the sums of the warps lie, and how many can be read at once?
  const int stride = warpSize;
#endif
  if (thread % warpSize == 0) partial[thread / warpSize * stride] = sum;
  __syncthreads();

  if (thread < warpSize) {
    int total = thread < warps ? partial[thread * stride] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      total += __shfl_down_sync(kWholeWarp, total, offset);
    if (thread == 0) sums[blockIdx.x] = total;
  }
}
