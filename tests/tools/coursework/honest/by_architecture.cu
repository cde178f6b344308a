// What is asked of the architecture, in all the places where programs do.
#ifndef __CUDA_ARCH__
#include <cstdio>
void say() { std::puts("on the host"); }
#endif
#ifdef __CUDA_ARCH__
constexpr float kFactor = 3.0f;
#else
constexpr float kFactor = 5.0f;
#endif
__host__ __device__ inline float add_side(float x) {
#ifdef __CUDA_ARCH__
  return x + 1.0f;
#else
  return x - 1.0f;
#endif
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 700
  if (i < n) out[i] = kFactor * add_side(in[i]);
#else
  if (i < n) out[i] = 0.0f;
#endif
}
