// Exercise 08.3: lanes that do not come. `./course check 08 --exercise 3` says how far you are.

#ifdef COURSE_SOLUTION
#else
// TODO: at each function with a mask, ask whom the mask names, and who comes.
#endif
/// The sum of each block's elements: a tree in every warp, then one tree for the warps' sums.
///
/// One fault is planted: a mask names lanes that do not come. The kernel is to be right for every n
/// and for 1 to 32 warps in a block.
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
  __syncthreads();

#ifdef COURSE_SOLUTION
  if (thread < warpSize) {
    int total = thread < warps ? partial[thread] : 0;
#else
  if (thread < warps) {
    int total = partial[thread];
#endif
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      total += __shfl_down_sync(kWholeWarp, total, offset);
    if (thread == 0) sums[blockIdx.x] = total;
  }
}
