// kind: uncounted access
// run: memory read through the C library
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) memcpy(out, in, n * sizeof(float));
}
