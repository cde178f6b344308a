// Exercise 04.5: loads first, and no promise. `./course check 04 --exercise 5` says how far you
// are.

/// The polynomial ((c[3] * x + c[2]) * x + c[1]) * x + c[0] of every element of a matrix.
///
/// A thread has at least four elements of its column loaded before it stores the first result of
/// these rows, where there are so many left. May be called in place, with out == in, so no pointer
/// may be __restrict__. At most rows + 4 load requests per warp, and rows stores.
/// @pre  the grid covers n; blocks are one-dimensional; rows x n fits an int; `c` overlaps nothing
__global__ void polynomial(int n, int rows,
                           const float* c,   // [4]
                           const float* in,  // [rows, n]
                           float* out) {     // [rows, n]; may be `in`
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
#ifdef COURSE_SOLUTION
  constexpr int kAhead = 4;
  for (int row = 0; row < rows; row += kAhead) {
    float x[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k)
      if (row + k < rows) x[k] = in[(row + k) * n + i];
#pragma unroll
    for (int k = 0; k < kAhead; ++k)
      if (row + k < rows) out[(row + k) * n + i] = ((c3 * x[k] + c2) * x[k] + c1) * x[k] + c0;
  }
#else
  for (int row = 0; row < rows; ++row) {
    // TODO: this load waits for the store of the row before it. Load four rows, then store four.
    const float x = in[row * n + i];
    out[row * n + i] = ((c3 * x + c2) * x + c1) * x + c0;
  }
  // TODO: and if there are not four rows left?
#endif
}
