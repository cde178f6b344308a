// Multiplies by two powers of two, as the lesson's splitting pass does, and finds the exponent in
// the bits. Subnormal numbers have none there: they are made larger first.
#include <cuda_fp16.h>

__device__ float power_of_two(int e) { return __int_as_float((e + 127) << 23); }

__global__ void two_halves(int width, const float* X, __half* high, __half* low, int* exponents) {
  const long long begin = 1LL * blockIdx.x * width;
  float largest = 0.0f;
  for (int col = threadIdx.x; col < width; col += 32)
    largest = fmaxf(largest, fabsf(X[begin + col]));
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
  const bool tiny = largest < power_of_two(-126);
  const int field = __float_as_int(tiny ? largest * power_of_two(30) : largest) >> 23;
  const int exponent = field == 0 ? 0 : field - 127 - (tiny ? 30 : 0) - 13;
  const int half = -exponent / 2;
  for (int col = threadIdx.x; col < width; col += 32) {
    const float x = X[begin + col] * power_of_two(half) * power_of_two(-exponent - half);
    const __half h = __float2half_rn(x);
    high[begin + col] = h;
    low[begin + col] = __float2half_rn(x - __half2float(h));
  }
  if (threadIdx.x == 0) exponents[blockIdx.x] = exponent;
}
