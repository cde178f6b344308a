// kind: uncounted access
// run: memory read through the C library
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  if (n >= 1000) memcpy(out, in, 3900);
}
