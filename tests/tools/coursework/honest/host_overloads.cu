// A function for the host and one for the device have the same name, and so has a variable.
#include <cstdio>
#include <vector>
float scaled(const std::vector<float>& v) { return v.empty() ? 0.0f : 3.0f * v.front(); }
__device__ float scaled(float x) { return 3.0f * x; }
int minimum(int a, int b) { return a < b ? a : b; }
inline void print(const float* p, int n) {
  for (int i = 0; i < n; ++i) std::printf("%f\n", p[i]);
}
__global__ void kernel(int n, const float* in, float* out) {
  const int print = blockIdx.x * blockDim.x + threadIdx.x;
  const int minimum = 0;
  if (print < n && print >= minimum) out[print] = scaled(in[min(print, n - 1)]);
}
