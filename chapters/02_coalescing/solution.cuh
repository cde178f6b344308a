#pragma once

// Exercises for chapter 02: add lines below each TODO, then run `./course check 02`.
// `./course check 02 --hint` helps; `--hint 2` helps more.

/// Exercise 1. C = A B with a one-dimensional block, at 5 sectors per two load requests.
///
/// The grid covers n in x and m in y with tiles of block x block elements; a block has
/// block x block threads in a line.
__global__ void sgemm_from_a_line(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C,        // [m, n]
                                  int block) {
  int row = blockIdx.y * block + threadIdx.x % block;
  int col = blockIdx.x * block + threadIdx.x / block;
  // TODO 1: the same tile, but so that a warp walks along a row of C.
  row = blockIdx.y * block + threadIdx.x / block;
  col = blockIdx.x * block + threadIdx.x % block;

  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}

/// Exercise 2. C = A^T B: A is stored transposed, [k, m]. At most 5 sectors per two load requests,
/// and the fewest sectors for the stores of C.
///
/// The grid covers n in x and m in y; blocks are two-dimensional, and not always square.
__global__ void sgemm_transposed_a(int m, int n, int k,
                                   const float* A,  // [k, m]
                                   const float* B,  // [k, n]
                                   float* C) {      // [m, n]
  int row = blockIdx.y * blockDim.x + threadIdx.x;
  int col = blockIdx.x * blockDim.y + threadIdx.y;
  // TODO 2a: is this the mapping for a C that is stored row by row?
  row = blockIdx.y * blockDim.y + threadIdx.y;
  col = blockIdx.x * blockDim.x + threadIdx.x;

  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    int index_in_a = row * k + p;
    // TODO 2b: where is the element for (row, p) in an A of [k, m]?
    index_in_a = p * m + row;

    sum += A[index_in_a] * B[p * n + col];
  }
  C[row * n + col] = sum;
}
