#pragma once

// Exercises for chapter 01: add lines below each TODO, then run `./course check 01`.
// `./course check 01 --hint` helps; `--hint 2` helps more.

/// Exercise 1. Every thread of a block writes its warp, its lane and how many lanes its warp has.
///
/// Blocks have one, two or three dimensions; only the last warp of a block may have fewer than 32.
/// The last line is the machine's testimony: the number that lane 0 of this thread's warp goes by.
__global__ void describe_threads(int* warp,      // [threads of the block]
                                 int* lane,      // [threads of the block]
                                 int* lanes,     // [threads of the block]
                                 int* leader) {  // [threads of the block]
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  int thread = 0;
  int lanes_of_warp = threads;
  // TODO 1: the number of this thread in its block, and the lanes of its warp.
  thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int first_of_warp = thread - thread % warpSize;
  lanes_of_warp = min(threads - first_of_warp, warpSize);

  warp[thread] = thread / warpSize;
  lane[thread] = thread % warpSize;
  lanes[thread] = lanes_of_warp;
  leader[thread] = __shfl_sync(0xffffffff, thread, 0);
}

/// Exercise 2. The sums of the even columns of a table and the maxima of the odd ones, as
/// divergence_within_warp computes them, but without a warp that takes both sides of the branch.
///
/// The columns keep their meaning: out[i] belongs to column i. What may change is which thread of
/// a block takes which column.
/// @pre  the grid covers n; blocks are one-dimensional and a multiple of 64
__global__ void sums_and_maxima(int n, int rows,
                                const float* table,  // [rows, n]
                                float* out) {        // [n]
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 2: give this thread another column of its block.
  // The first half of the block takes the even columns, the second half the odd ones.
  const int pairs = blockDim.x / 2;
  i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % pairs) + threadIdx.x / pairs;

  if (i >= n) return;

  float result = 0.0f;
  if (i % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}
