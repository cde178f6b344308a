// A copy of a fixed size that is more than one access. Every byte is counted.
#include <cstring>
__global__ void kernel(int n, const float* in, float* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    memcpy(out, in, 3900);
    std::memset(out + 975, 0, 100);
  }
}
