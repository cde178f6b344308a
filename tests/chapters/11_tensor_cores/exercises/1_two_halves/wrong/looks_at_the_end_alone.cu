// Only the last 32 elements of a row are looked at for the largest.
//! halves, extremes, loads
//= a part is
#include <cuda_fp16.h>

__global__ void two_halves(int width, const float* X, __half* high, __half* low, int* exponents) {
  const int lane = threadIdx.x, first = blockIdx.x * width;
  unsigned bits = 0;
  for (int col = lane; col < min(width, 32); col += 32)
    bits = max(bits, __float_as_uint(fabsf(X[first + max(0, width - 1 - col)])));
  const float largest = __uint_as_float(__reduce_max_sync(~0u, bits));
  const int exponent = largest == 0.0f ? 0 : ilogbf(largest) - 14;
  for (int col = lane; col < width; col += 32) {
    const float x = ldexpf(X[first + col], -exponent);
    high[first + col] = __float2half_rn(x);
    low[first + col] = __float2half_rn(x - __half2float(high[first + col]));
  }
  if (lane == 0) exponents[blockIdx.x] = exponent;
}
