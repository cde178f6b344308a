// Exercise 11.1: two halves. `./course check 11 --exercise 1` says how far you are.
#include <cuda_fp16.h>

/// Splits the rows of a matrix, a warp for each: element = (high + low) x 2^exponent of its row.
///
/// Dividing a row by a power of two must not cost a bit, however large or small its elements are. A
/// row of zeros stays one.
__global__ void two_halves(int width,
                           const float* X,    // [rows, width]
                           __half* high,      // [rows, width]
                           __half* low,       // [rows, width]
                           int* exponents) {  // [rows]
  const int row = blockIdx.x, lane = threadIdx.x;
  X += row * width;
  high += row * width;
  low += row * width;

  // The bits of a positive float are in the order of the numbers.
  unsigned bits = 0;
  for (int col = lane; col < width; col += 32) bits = max(bits, __float_as_uint(fabsf(X[col])));
  const float largest = __uint_as_float(__reduce_max_sync(~0u, bits));

#ifdef COURSE_SOLUTION
  // A half ends at 65504, a little below 2^16: the largest element comes to lie between 2^14 and
  // 2^15.
  constexpr int kHighest = 14;
  const int exponent = largest == 0.0f ? 0 : ilogbf(largest) - kHighest;

  for (int col = lane; col < width; col += 32) {
    // 2^-exponent itself may be too large for a float.
    const float x = ldexpf(X[col], -exponent);
    const __half rounded = __float2half_rn(x);
    high[col] = rounded;
    low[col] = __float2half_rn(x - __half2float(rounded));
  }
#else
  // TODO: choose the exponent, so that the row's largest element, divided by 2^exponent, comes near
  // the end of a half's range. Divide each element, and keep what the high part has lost.
  // ilogbf(x) is the exponent of x as an int: ilogbf(5.0f) is 2, for 2^2 <= 5 < 2^3.
  const int exponent = 0;
  static_cast<void>(largest);

  for (int col = lane; col < width; col += 32) {
    const __half rounded = __float2half_rn(X[col]);
    high[col] = rounded;
    low[col] = __float2half_rn(0.0f);
  }
#endif

  if (lane == 0) exponents[row] = exponent;
}
