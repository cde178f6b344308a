#pragma once

constexpr unsigned kTableEntries = 256;

/// What look_up_constant reads: at most 64 KiB of a program can be constant memory.
__constant__ float constant_table[kTableEntries];

constexpr int kColours = 201;  // from 0 steps to 200, as in the picture of chapter 00

/// What paint_constant reads: a colour, 0xRRGGBB, for each number of steps.
__constant__ unsigned constant_palette[kColours];

/// Copies through pointers that say nothing about each other.
///
/// @expect  load and store sectors per full warp: 4; PTX: ld.global
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void copy_plain(int n,
                           const float* in,  // [n]
                           float* out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = in[i];
}

/// Copies with a load that may only be used for what nobody writes while the kernel runs.
///
/// @expect  the counters of copy_plain; PTX: ld.global.nc
/// @pre     the grid covers n; blocks are one-dimensional; `in` and `out` do not overlap
__global__ void copy_ldg(int n,
                         const float* in,  // [n]
                         float* out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = __ldg(&in[i]);
}

/// Copies through pointers of which the program promises that they do not overlap.
///
/// @expect  the counters of copy_plain; PTX: ld.global.nc
/// @pre     the grid covers n; blocks are one-dimensional; `in` and `out` do not overlap
__global__ void copy_restrict(int n,
                              const float* __restrict__ in,  // [n]
                              float* __restrict__ out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = in[i];
}

/// A cubic polynomial of every element, one thread per column, through pointers that may overlap.
///
/// Each store may have changed c, so every row reads its four coefficients again.
/// @expect  load requests per warp: 5 x rows
/// @pre     the grid covers n; blocks are one-dimensional; rows x n fits an int
__global__ void polynomial_plain(int n, int rows,
                                 const float* c,   // [4]
                                 const float* in,  // [rows, n]
                                 float* out) {     // [rows, n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int row = 0; row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

/// The same with the coefficients in registers: read once because the source says so.
///
/// @expect  load requests per warp: 4 + rows
/// @pre     the grid covers n; blocks are one-dimensional; rows x n fits an int
__global__ void polynomial_registers(int n, int rows,
                                     const float* c,   // [4]
                                     const float* in,  // [rows, n]
                                     float* out) {     // [rows, n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  for (int row = 0; row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c3 * x + c2) * x + c1) * x + c0;
  }
}

constexpr int kRowsAhead = 4;  // rows that polynomial_four_rows loads before it stores one

/// The same without a promise, but in another order: loads four rows, and only then stores four.
///
/// @expect  load requests per warp: 4 + rows
/// @pre     the grid covers n; blocks are one-dimensional; rows x n fits an int; `out` is `in`, or
///          does not overlap it
__global__ void polynomial_four_rows(int n, int rows,
                                     const float* c,   // [4]
                                     const float* in,  // [rows, n]
                                     float* out) {     // [rows, n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  for (int row = 0; row < rows; row += kRowsAhead) {
    float x[kRowsAhead];
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k)
      if (row + k < rows) x[k] = in[(row + k) * n + i];
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k)
      if (row + k < rows) out[(row + k) * n + i] = ((c3 * x[k] + c2) * x[k] + c1) * x[k] + c0;
  }
}

/// The source of polynomial_plain, with a promise: what is written through `out` is read through no
/// other pointer. The compiler reads the coefficients once, and may read rows ahead.
///
/// @expect  load requests per warp: 4 + rows, where rows is not 0
/// @pre     the grid covers n; blocks are one-dimensional; rows x n fits an int; `out` overlaps
///          neither `c` nor `in`
__global__ void polynomial_restrict(int n, int rows,
                                    const float* __restrict__ c,   // [4]
                                    const float* __restrict__ in,  // [rows, n]
                                    float* __restrict__ out) {     // [rows, n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int row = 0; row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

/// Adds up `rounds` entries of a table in constant memory, from an entry of each lane's own.
///
/// @expect  global load requests per warp: 1, for `first`; constant memory has a path of its own
/// @pre     the grid covers n; blocks are one-dimensional; first[i] + rounds fits an int
__global__ void look_up_constant(int n, int rounds,
                                 const int* first,  // [n], none negative
                                 float* out) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round)
    sum += constant_table[(start + round) % kTableEntries];
  out[i] = sum;
}

/// The same with the table in global memory.
///
/// @expect  global load requests per warp: 1 + rounds
/// @pre     the grid covers n; blocks are one-dimensional; first[i] + rounds fits an int
__global__ void look_up_global(int n, int rounds,
                               const float* table,  // [kTableEntries]
                               const int* first,    // [n], none negative
                               float* out) {        // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round) sum += table[(start + round) % kTableEntries];
  out[i] = sum;
}

/// Walks over a table, again and again if it is short: each block adds up the next stretch of
/// `steps` x blockDim.x elements, and the table begins again where it ends.
///
/// @expect  load requests per warp: steps; sectors per full request: 4, if `elements` is a multiple
///          of 32 - however long the table is
/// @pre     the grid covers n; blocks are one-dimensional; elements >= blockDim.x, and the sum of
///          both fits an int
__global__ void walk_table(int n, int steps, int elements,
                           const float* table,  // [elements]
                           float* out) {        // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const long long stretch = static_cast<long long>(blockDim.x) * steps;
  int at = (blockIdx.x * stretch + threadIdx.x) % elements;
  float sum = 0.0f;
  for (int step = 0; step < steps; ++step) {
    sum += table[at];
    at += blockDim.x;
    if (at >= elements) at -= elements;
  }
  out[i] = sum;
}

/// Paints a picture: each point gets the colour that the palette has for its number of steps. The
/// palette is in constant memory.
///
/// @expect  load and store sectors per full warp: 4; no global load of the palette
/// @pre     the grid covers n; blocks are one-dimensional; no step is negative, or kColours or more
__global__ void paint_constant(int n,
                               const int* __restrict__ steps,     // [n]
                               unsigned* __restrict__ picture) {  // [n]: 0xRRGGBB
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) picture[i] = constant_palette[steps[i]];
}

/// The same with the palette in global memory.
///
/// @expect  load requests per full warp: 2, one for the steps and one for their colours; store
///          sectors: 4
/// @pre     as paint_constant, for a palette of any length
__global__ void paint_global(int n,
                             const int* __restrict__ steps,         // [n]
                             const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                             unsigned* __restrict__ picture) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) picture[i] = palette[steps[i]];
}
