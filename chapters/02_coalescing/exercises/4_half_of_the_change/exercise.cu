// Exercise 02.4: half of the change. `./course check 02 --exercise 4` says how far you are.

/// A table of products: element (row, col) is a[row] * b[col]. Blocks are square.
///
/// Somebody has read chapter 02. x was the row here and y the column; now y is the row and x the
/// column, so that a warp walks along a row of the table. Square tables come out right, and with
/// few sectors. Tables that are not square have holes: the launch is as it was. It covers the m
/// rows with the grid's x and the n columns with the grid's y, and you cannot change it.
///
/// Swapping everything back would fill the holes, and cost as many sectors as before the change.
__global__ void multiplication_table(int m, int n,
                                     const float* a,  // [m]
                                     const float* b,  // [n]
                                     float* table) {  // [m, n]
#ifdef COURSE_SOLUTION
  const int row = blockIdx.x * blockDim.x + threadIdx.y;
  const int col = blockIdx.y * blockDim.y + threadIdx.x;
#else
  // TODO: which half of this has to go back?
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
#endif
  if (row >= m || col >= n) return;

  table[row * n + col] = a[row] * b[col];
}
