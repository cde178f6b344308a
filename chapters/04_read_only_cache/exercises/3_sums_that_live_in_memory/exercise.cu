// Exercise 04.3: sums that live in memory. `./course check 04 --exercise 3` says how far you are.

/// The sum and the largest element of every column.
///
/// Callers may have no room to spare, and keep the results in the table itself, in any two rows of
/// it: `sums` may be row 0 of `in`, say, and `largest` row 1. The results are the same. A warp
/// loads each of its elements once, and stores two results.
/// @pre  the grid covers n; blocks are one-dimensional; rows >= 1, and rows x n fits an int
__global__ void sum_columns(int n, int rows,
                            const float* in,   // [rows, n]
                            float* sums,       // [n]; may lie in `in`
                            float* largest) {  // [n]; may lie in `in`, but not in `sums`
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

#ifdef COURSE_SOLUTION
  float sum = 0.0f, most = -INFINITY;
  for (int row = 0; row < rows; ++row) {
    const float value = in[row * n + i];
    sum += value;
    most = fmaxf(most, value);
  }
  sums[i] = sum;
  largest[i] = most;
#else
  // TODO: both lines of the loop load and store, since the compiler must assume that the three
  // pointers may lead to one place. In place, the first store even overwrites row 0 unread.
  sums[i] = 0.0f;
  largest[i] = -INFINITY;
  for (int row = 0; row < rows; ++row) {
    sums[i] += in[row * n + i];
    largest[i] = fmaxf(largest[i], in[row * n + i]);
  }
#endif
}

/// The kernel as it was given: how many requests does a warp make in each round of the loop? Answer
/// before you change it.
__global__ void answers(int* requests) {
#ifdef COURSE_SOLUTION
  requests[0] = 4;
  requests[1] = 2;
#else
  requests[0] = 0;  // TODO: loads, of `in` and of what it adds to
  requests[1] = 0;  // TODO: stores
#endif
}
