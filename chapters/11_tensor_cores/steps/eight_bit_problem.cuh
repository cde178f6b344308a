#pragma once

/// @file
/// What the steps with 8-bit floats are to compute.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

constexpr int kScaledBlock = 128;  // elements that share a scale: of k, and of B's rows

/// C = A B^T in device memory, row-major: the rows of both operands lie along k. Sums are floats,
/// and are rounded once. m, n, k >= 0; every matrix begins on 16 bytes; k is a multiple of 16 and n
/// one of 8, so that every row does.
struct EightBitGemm {
  int m, n, k;
  const __nv_fp8_e4m3* A;   // [m, k]
  const __nv_fp8_e4m3* B;   // [n, k]
  const float* scale_a;     // of all of A; where blocks are scaled, [blocks of k, m]
  const float* scale_b;     // of all of B; where blocks are scaled, [blocks of n, blocks of k]
  __nv_bfloat16* C;         // [m, n]
  int multiprocessors = 1;  // to share the work among: the device's, or fewer
};
