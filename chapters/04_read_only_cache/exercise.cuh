#pragma once

// Exercise for chapter 04: add lines below each TODO, then run `./course check 04`.
// `./course check 04 --hint` helps; `--hint 2` helps more.

/// Exercise 1. Every column filtered: each element becomes a weighted sum of itself and of the two
/// elements of `in` above it, where there are any.
///
/// May be called in place, with out == in; the result is the same as if they were two arrays. At
/// most rows + 3 load requests per warp.
/// @pre  the grid covers n; blocks are one-dimensional; rows x n fits an int; `weights` overlaps
///       nothing
__global__ void filter_columns(int n, int rows,
                               const float* weights,  // [3]: of the element, and of those above it
                               const float* in,       // [rows, n]
                               float* out) {          // [rows, n]; may be `in`
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // TODO 1a: what can be read before the loop, so that no row reads it again?

  for (int row = 0; row < rows; ++row) {
    const int here = row * n + i;
    const float value = in[here];
    float above = row >= 1 ? in[here - n] : 0.0f;
    float two_above = row >= 2 ? in[here - 2 * n] : 0.0f;
    // TODO 1b: in place, those two have been overwritten by now; in any case, they have been read.

    out[here] = weights[0] * value + weights[1] * above + weights[2] * two_above;
    // TODO 1c: what will the next row need?
  }
}
