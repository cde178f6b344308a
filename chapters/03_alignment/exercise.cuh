#pragma once

// Exercises for chapter 03: add lines below each TODO, then run `./course check 03`.
// `./course check 03 --hint` helps; `--hint 2` helps more.

/// Exercise 1. data[k] = factor x data[k] for k in [first, n) and for no other, with as few sectors
/// and lines as there are in that part of the array, whatever `first` is.
///
/// The array begins at a line. The grid covers n - first + 32 threads; blocks are a multiple of 32.
__global__ void scale_from(int n, int first, float factor,
                           float* data) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = first;
  // TODO 1: let the warps begin where a line begins, and the lanes in front of `first` do nothing.

  if (i >= n - begin) return;
  data[begin + i] *= factor;
}

/// Exercise 2. The rows of a matrix are `cols` floats long. How many floats should lie between the
/// beginnings of two rows, so that every row begins at a sector, and no more memory is wasted than
/// that takes?
///
/// Rows are read by scale_rows() below; the check launches it with the pitch that you return.
inline int row_pitch(int cols) {
  int pitch = cols;
  // TODO 2: leave some floats at the end of each row unused.

  return pitch;
}

/// out = factor x in, both matrices with `pitch` floats from row to row; y is the row.
__global__ void scale_rows(int cols, int pitch, float factor,
                           const float* in,  // [gridDim.y, pitch]
                           float* out) {     // [gridDim.y, pitch]
  const int row = blockIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;

  out[row * pitch + col] = factor * in[row * pitch + col];
}
