// kind: uncounted access
// run: error cudaErrorIllegalAddress
// A copy that begins in the array and goes on behind it, as far as something may lie there.
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) memcpy(out, in, n * sizeof(double) + 4096);
}
