// Each lane looks through its whole row for the largest element, by atomic operations that change
// nothing.
//! loads
//= sectors loaded
#include <cuda_fp16.h>

__global__ void two_halves(int width, const float* X, __half* high, __half* low, int* exponents) {
  const int row = blockIdx.x, lane = threadIdx.x;
  X += row * width;
  high += row * width;
  low += row * width;

  unsigned bits = 0;
  for (int col = 0; col < width; ++col) {
    auto* const word = reinterpret_cast<unsigned*>(const_cast<float*>(&X[col]));
    bits = max(bits, atomicOr(word, 0u) & 0x7fffffff);
  }
  const float largest = __uint_as_float(bits);
  const int exponent = largest == 0.0f ? 0 : ilogbf(largest) - 14;

  for (int col = lane; col < width; col += 32) {
    const float x = ldexpf(X[col], -exponent);
    const __half rounded = __float2half_rn(x);
    high[col] = rounded;
    low[col] = __float2half_rn(x - __half2float(rounded));
  }
  if (lane == 0) exponents[row] = exponent;
}
