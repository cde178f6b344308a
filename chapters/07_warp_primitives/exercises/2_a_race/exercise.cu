// Exercise 07.2: a race between warps. `./course check 07 --exercise 2` says how far you are.

/// The sum of each block's elements: a tree in every warp, then one tree for the warps' sums.
///
/// One fault is planted: two warps race. The kernel is to be right for every n and for 1 to 32
/// warps in a block.
/// @pre  the grid covers n; blocks are one-dimensional, in whole warps
__global__ void block_sums(int n,
                           const int* in,  // [n]
                           int* sums) {    // [blocks]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostWarps = 32;
  __shared__ int partial[kMostWarps];
  const int thread = threadIdx.x;
  const int warps = blockDim.x / warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(kWholeWarp, sum, offset);

  if (thread % warpSize == 0) partial[thread / warpSize] = sum;
#ifdef COURSE_SOLUTION
  __syncthreads();
#else
    // TODO: the lanes of warp 0 are about to read what other warps write.
#endif

  if (thread < warpSize) {
    int total = thread < warps ? partial[thread] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      total += __shfl_down_sync(kWholeWarp, total, offset);
    if (thread == 0) sums[blockIdx.x] = total;
  }
}
