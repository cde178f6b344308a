#pragma once

// Exercises for chapter 07: add lines below each TODO, then run `./course check 07`.
// `./course check 07 --hint` helps; `--hint 2` helps more.

/// The sum of each block's elements: a tree in every warp, then one tree for the warps' sums.
///
/// Three faults are planted, and each has its own kind: one costs time, one is a race, one names
/// lanes that do not come. The kernel is to be right for every n and for 1 to 32 warps in a block.
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

  int stride = warpSize;
  // TODO 1: in which banks do the sums of the warps lie, and how many can be read at once?

  if (thread % warpSize == 0) partial[thread / warpSize * stride] = sum;
  // TODO 2: the lanes of warp 0 are about to read what other warps write.

  bool takes_part = thread < warps;
  // TODO 3: kWholeWarp names 32 lanes below. Do they all come?

  if (takes_part) {
    int total = thread < warps ? partial[thread * stride] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      total += __shfl_down_sync(kWholeWarp, total, offset);
    if (thread == 0) sums[blockIdx.x] = total;
  }
}
