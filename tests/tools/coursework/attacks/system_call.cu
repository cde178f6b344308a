// kind: reading the solution
// rule: call
// says: system
#include <cstdlib>
__global__ void kernel(int n, const float* in, float* out) {
  out[threadIdx.x] = static_cast<float>(system("cat /etc/passwd"));
}
