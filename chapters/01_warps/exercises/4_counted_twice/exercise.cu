// Exercise 01.4: counted twice. `./course check 01 --exercise 4` says how far you are.

/// Adds up the rounds that all warps take to draw a picture: a warp takes as many as the slowest of
/// its pixels takes steps. One lane of each warp adds them to the sum.
///
/// In blocks of 32 x 8 threads, the sum is right. In blocks of 16 x 16, it is twice as much, and in
/// blocks of 8 x 8, four times. Find out why.
///
/// @pre  the grid covers width x height in x and y; blocks have whole warps; *rounds is 0
__global__ void add_up_rounds(int width, int height,
                              const int* steps,  // [height, width]
                              int* rounds) {     // [1]
#ifdef COURSE_SOLUTION
#else
  // TODO: one of these lines only holds for some shapes of blocks.
#endif
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef COURSE_SOLUTION
  const int thread = threadIdx.x + blockDim.x * threadIdx.y;
  const int lane = thread % warpSize;
#else
  const int lane = threadIdx.x % warpSize;
#endif

  int most = col < width && row < height ? steps[row * width + col] : 0;
  // Each lane compares with the one that is 16, 8, 4, 2, 1 away: then all of them know the maximum.
  for (int apart = warpSize / 2; apart > 0; apart /= 2)
    most = max(most, __shfl_xor_sync(kWholeWarp, most, apart));

  if (lane == 0) atomicAdd(rounds, most);
}
