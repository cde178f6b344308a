// Exercise 04.1: filter in place, and read everything once. `./course check 04 --exercise 1` says
// how far you are.

/// Every column filtered: each element becomes a weighted sum of itself and of the two elements of
/// `in` above it, where there are any.
///
/// May be called in place, with out == in; the result is the same as if they were two arrays. At
/// most rows + 3 load requests per warp, in place or not, and rows stores.
/// @pre  the grid covers n; blocks are one-dimensional; rows x n fits an int; `weights` overlaps
///       nothing
__global__ void filter_columns(int n, int rows,
                               const float* weights,  // [3]: of the element, and of those above it
                               const float* in,       // [rows, n]
                               float* out) {          // [rows, n]; may be `in`
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

#ifdef COURSE_SOLUTION
  const float kept_weights[] = {weights[0], weights[1], weights[2]};
  weights = kept_weights;
  float above = 0.0f, two_above = 0.0f;
#else
    // TODO: what can be read before the loop, so that no row reads it again?
#endif

  for (int row = 0; row < rows; ++row) {
    const int here = row * n + i;
    const float value = in[here];
#ifdef COURSE_SOLUTION
    out[here] = weights[0] * value + weights[1] * above + weights[2] * two_above;
    two_above = above;
    above = value;
#else
    // TODO: in place, the next two have been overwritten by now; in any case, they have been read.
    const float above = row >= 1 ? in[here - n] : 0.0f;
    const float two_above = row >= 2 ? in[here - 2 * n] : 0.0f;
    out[here] = weights[0] * value + weights[1] * above + weights[2] * two_above;
    // TODO: what will the next row need?
#endif
  }
}
