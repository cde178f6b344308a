#pragma once

/// Where the threads of a one-dimensional block run: warp, lane, and lane 0 of the same warp.
///
/// The first two come from the formula. The third comes from the machine: __shfl_sync hands every
/// lane the number that lane 0 of its own warp holds, so it shows who shares a warp with whom.
/// @expect  warp = i / 32, lane = i % 32, leader = 32 x warp, for thread i of a block
/// @pre     the grid covers n threads; blocks are one-dimensional
__global__ void warp_map_1d(int n,
                            int* warp,      // [n]
                            int* lane,      // [n]
                            int* leader) {  // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
  const int i = blockIdx.x * threads + thread;
  if (i >= n) return;

  warp[i] = thread / warpSize;
  lane[i] = thread % warpSize;
  leader[i] = __shfl_sync(kWholeWarp, thread, 0);
}

/// The same for a block of two dimensions: x runs fastest, then y.
///
/// @expect  thread (x, y) of a block Bx wide is number x + Bx y
/// @pre     the grid covers n threads; blocks are one- or two-dimensional, the grid one-dimensional
__global__ void warp_map_2d(int n,
                            int* warp,      // [n]
                            int* lane,      // [n]
                            int* leader) {  // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int thread = threadIdx.x + blockDim.x * threadIdx.y;
  const int threads = blockDim.x * blockDim.y;
  const int i = blockIdx.x * threads + thread;
  if (i >= n) return;

  warp[i] = thread / warpSize;
  lane[i] = thread % warpSize;
  leader[i] = __shfl_sync(kWholeWarp, thread, 0);
}

/// The same for a block of three dimensions: x runs fastest, then y, then z.
///
/// @expect  thread (x, y, z) of a block Bx wide and By high is number x + Bx (y + By z)
/// @pre     the grid covers n threads and is one-dimensional
__global__ void warp_map_3d(int n,
                            int* warp,      // [n]
                            int* lane,      // [n]
                            int* leader) {  // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int i = blockIdx.x * threads + thread;
  if (i >= n) return;

  warp[i] = thread / warpSize;
  lane[i] = thread % warpSize;
  leader[i] = __shfl_sync(kWholeWarp, thread, 0);
}

/// Two neighbouring lanes of one warp take turns, each waiting for the other in a loop.
///
/// Ends only if a lane that waits does not hold up the lane that it waits for: so since Volta,
/// where every lane has a program counter of its own. Before, the warp had one, and this hung.
/// @expect  the even and the odd lane of a pair alternate, the even one first
/// @pre     turn is zero; blocks are one-dimensional with an even number of threads
__global__ void lanes_take_turns(int pairs, int rounds,
                                 int* turn,     // [pairs]
                                 int* order) {  // [pairs, 2 x rounds]: 0 even lane, 1 odd lane
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pair = i / 2;
  const int side = i % 2;
  if (pair >= pairs) return;

  for (int round = 0; round < rounds; ++round) {
    while (atomicAdd(&turn[pair], 0) % 2 != side) {
    }
    const int now = atomicAdd(&turn[pair], 1);
    order[2 * rounds * pair + now] = side;
  }
}

/// Sums of the even columns of a table and maxima of the odd ones: every warp takes both sides.
///
/// @expect  2 x rows load requests per warp, each with 16 active lanes
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void divergence_within_warp(int n, int rows,
                                       const float* table,  // [rows, n]
                                       float* out) {        // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float result = 0.0f;
  if (threadIdx.x % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}

/// As many sums and as many maxima, but a whole warp takes the same side.
///
/// @expect  rows load requests per warp, each with 32 active lanes
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void divergence_between_warps(int n, int rows,
                                         const float* table,  // [rows, n]
                                         float* out) {        // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float result = 0.0f;
  if (threadIdx.x / warpSize % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}
