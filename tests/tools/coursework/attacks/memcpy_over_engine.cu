// kind: engine symbols
// run: error cudaErrorIllegalAddress
// From a local array up the stack, to where the engine keeps what it must not lose.
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  float local[8] = {};
  memset(local, 0xff, n * 512);
  out[threadIdx.x] = local[n % 8];
}
