#pragma once

/// @file
/// What the steps with bfloat16 are to compute.

#include <cuda_bf16.h>

/// C = A B, row-major, in device memory; sums are floats, and are rounded once. m, n, k >= 0; every
/// matrix begins on 16 bytes, and k and n are multiples of 8, so that every row does.
struct Gemm {
  int m, n, k;
  const __nv_bfloat16* A;   // [m, k]
  const __nv_bfloat16* B;   // [k, n]
  __nv_bfloat16* C;         // [m, n]
  int multiprocessors = 1;  // to share the work among: the device's, or fewer
};
