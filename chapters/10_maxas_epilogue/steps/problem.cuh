#pragma once

/// @file
/// What the chapter's kernels are to compute.

#include <cstddef>

#include "../../11_tensor_cores/steps/gemm_problem.cuh"

/// C = alpha A B + beta C, column-major, m, n, k >= 0, in device memory; beta = 0 does not read C.
struct Product {
  int m, n, k;
  float alpha;
  const float* A;   // [m, k]
  std::size_t lda;  // floats from one column to the next
  const float* B;   // [k, n]
  std::size_t ldb;
  float beta;
  float* C;  // [m, n]
  std::size_t ldc;
  int pad = 0;  // floats left free between two columns in shared memory: a multiple of 4, up to 32
};

/// C = max(0, A B + bias) in bfloat16: a layer of a neural network, with ReLU.
struct Layer {
  Gemm product;
  const float* bias;  // [n]
};

/// A picture of the Mandelbrot set with soft edges, of half as many rows and columns as points.
struct Picture {
  int wide, high, most;     ///< points, and the steps after which one is given up
  const unsigned* palette;  ///< [most + 1]: 0xRRGGBB
  unsigned char* planes;    ///< [3, high / 2, wide / 2]: red, green, blue
};
