// Works in double, which has exponents to spare, and rounds the high part towards zero, so that
// both parts have the same sign.
#include <cuda_fp16.h>

__global__ void two_halves(int width, const float* X, __half* high, __half* low, int* exponents) {
  X += blockIdx.x * width;
  unsigned bits = 0;
  for (int col = threadIdx.x; col < width; col += 32)
    bits = max(bits, __float_as_uint(X[col]) & 0x7fffffffu);
  bits = __reduce_max_sync(0xffffffffu, bits);
  int exponent = 0;
  if (bits != 0) frexpf(__uint_as_float(bits), &exponent);
  exponent -= 15;  // frexpf() makes numbers from 1/2 to 1
  for (int col = threadIdx.x; col < width; col += 32) {
    const double x = ldexp(static_cast<double>(X[col]), -exponent);
    const __half h = __float2half_rz(static_cast<float>(x));
    high[blockIdx.x * width + col] = h;
    low[blockIdx.x * width + col] = __float2half_rn(static_cast<float>(x - __half2float(h)));
  }
  if (threadIdx.x == 31) exponents[blockIdx.x] = exponent;
}
