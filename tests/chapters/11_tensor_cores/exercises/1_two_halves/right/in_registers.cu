// Rows of up to 512 elements stay in registers, so that they are loaded once; others are loaded
// again.
#include <cuda_fp16.h>

__global__ void two_halves(int width, const float* X, __half* high, __half* low, int* exponents) {
  constexpr int kKept = 16;
  const int lane = threadIdx.x, first = blockIdx.x * width;
  float kept[kKept] = {};
  float largest = 0.0f;
#pragma unroll
  for (int i = 0; i < kKept; ++i)
    if (lane + 32 * i < width) {
      kept[i] = X[first + lane + 32 * i];
      largest = fmaxf(largest, fabsf(kept[i]));
    }
  for (int col = lane + 32 * kKept; col < width; col += 32)
    largest = fmaxf(largest, fabsf(X[first + col]));
  largest = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(largest)));
  const int exponent = largest > 0.0f ? ilogbf(largest) - 14 : -3;
  const auto split = [&](int col, float x) {
    x = scalbnf(x, -exponent);
    const __half h = __float2half(x);
    high[first + col] = h;
    low[first + col] = __float2half(x - __half2float(h));
  };
#pragma unroll
  for (int i = 0; i < kKept; ++i)
    if (lane + 32 * i < width) split(lane + 32 * i, kept[i]);
  for (int col = lane + 32 * kKept; col < width; col += 32) split(col, X[first + col]);
  if (lane == 0) exponents[blockIdx.x] = exponent;
}
