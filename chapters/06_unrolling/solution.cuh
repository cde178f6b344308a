#pragma once

// Exercises for chapter 06: add lines below each TODO, then run `./course check 06`.
// `./course check 06 --hint` helps; `--hint 2` helps more.

/// Exercise 1. C[i] = A[i + offset] + B[i + offset] with four elements per thread: every element
/// for any n, the requests of one element per thread, and eight loads before the first store.
///
/// The grid covers n - offset with 4 x blockDim.x elements per block.
__global__ void sum_unroll4(int n, int offset,
                            const float* A,  // [n]
                            const float* B,  // [n]
                            float* C) {      // [n - offset]
  constexpr int kUnroll = 4;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kUnroll * threads;  // of the block's elements
  const int i = first + threadIdx.x;
  bool is_whole = false;
  // TODO 1a: do all elements of the block exist?
  is_whole = first + kUnroll * threads + offset <= n;

  if (is_whole) {
    float a[kUnroll] = {}, b[kUnroll] = {};
    // TODO 1b: load this thread's elements, which are `threads` apart.
    for (int u = 0; u < kUnroll; ++u) {
      a[u] = A[i + u * threads + offset];
      b[u] = B[i + u * threads + offset];
    }

    for (int u = 0; u < kUnroll; ++u) C[i + u * threads] = a[u] + b[u];
  } else {
    // TODO 1c: those of this thread's elements that exist.
    for (int j = 0; j < kUnroll * threads; j += threads)
      if (i + j + offset < n) C[i + j] = A[i + j + offset] + B[i + j + offset];
  }
}

/// Exercise 2. The same with a grid of any size, and two elements per round: four loads before the
/// first store.
__global__ void sum_grid_stride2(int n, int offset,
                                 const float* A,  // [n]
                                 const float* B,  // [n]
                                 float* C) {      // [n - offset]
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 2: as long as elements i and i + stride both exist, sum both of them in one round.
  for (; i + stride + offset < n; i += 2 * stride) {
    const float a0 = A[i + offset], a1 = A[i + stride + offset];
    const float b0 = B[i + offset], b1 = B[i + stride + offset];
    C[i] = a0 + b0;
    C[i + stride] = a1 + b1;
  }

  for (; i + offset < n; i += stride) C[i] = A[i + offset] + B[i + offset];
}
