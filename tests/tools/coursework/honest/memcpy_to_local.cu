// The length is known only when it runs. What is read is counted, what is local is not.
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  float local[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  memcpy(local, in + i % 8, (n & 7) * sizeof(float) + sizeof(float));
  if (i < n) out[i] = local[0];
}
