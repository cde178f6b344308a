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

/// The same with a single lane of each warp on the other side.
///
/// @expect  2 x rows load requests per full warp, with 31 lanes and with one
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void divergence_one_lane(int n, int rows,
                                    const float* table,  // [rows, n]
                                    float* out) {        // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float result = 0.0f;
  if (threadIdx.x % warpSize > 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}

/// Draws the Mandelbrot set as chapter 00 does, and notes for how many rounds each thread waited.
///
/// A warp goes round the loop until the last of its lanes is done; a lane that is done sooner
/// waits.
/// @expect  a warp's rounds are the steps of its slowest lane
/// @pre     the grid covers width x height in x and y; blocks have whole warps
__global__ void mandelbrot_near(int width, int height, int most,
                                int* steps,     // [height, width]
                                int* waited) {  // [height, width]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool is_inside = col < width && row < height;

  int step = 0;
  if (is_inside) {
    const float c_x = fmaf(3.0f / width, col, -2.25f);
    const float c_y = fmaf(2.5f / height, row, -1.25f);
    float x = 0.0f, y = 0.0f;
    for (; step < most; ++step) {
      const float x_squared = x * x;
      if (fmaf(y, y, x_squared) > 4.0f) break;
      const float y_next = fmaf(x + x, y, c_y);
      x = fmaf(y, -y, x_squared) + c_x;
      y = y_next;
    }
  }

  // The slowest lane of the warp, by a butterfly of shuffles (chapter 08).
  int rounds = step;
  for (int apart = warpSize / 2; apart > 0; apart /= 2)
    rounds = max(rounds, __shfl_xor_sync(kWholeWarp, rounds, apart));

  if (!is_inside) return;
  steps[row * width + col] = step;
  waited[row * width + col] = rounds - step;
}

/// The same picture, but the pixels are dealt out to the warps like cards: one to each warp, then
/// another one to each, until every warp has a pixel for each of its lanes.
///
/// @expect  as many steps as mandelbrot_near, and far more rounds
/// @pre     the grid covers width x height; blocks and grid are one-dimensional, with whole warps
__global__ void mandelbrot_dealt(int width, int height, int most,
                                 int* steps,     // [height, width]
                                 int* waited) {  // [height, width]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixels = width * height;
  const int warps = (pixels + warpSize - 1) / warpSize;
  const int pixel = thread / warpSize + thread % warpSize * warps;
  const bool is_inside = thread / warpSize < warps && pixel < pixels;

  int step = 0;
  if (is_inside) {
    const float c_x = fmaf(3.0f / width, pixel % width, -2.25f);
    const float c_y = fmaf(2.5f / height, pixel / width, -1.25f);
    float x = 0.0f, y = 0.0f;
    for (; step < most; ++step) {
      const float x_squared = x * x;
      if (fmaf(y, y, x_squared) > 4.0f) break;
      const float y_next = fmaf(x + x, y, c_y);
      x = fmaf(y, -y, x_squared) + c_x;
      y = y_next;
    }
  }

  int rounds = step;
  for (int apart = warpSize / 2; apart > 0; apart /= 2)
    rounds = max(rounds, __shfl_xor_sync(kWholeWarp, rounds, apart));

  if (!is_inside) return;
  steps[pixel] = step;
  waited[pixel] = rounds - step;
}
