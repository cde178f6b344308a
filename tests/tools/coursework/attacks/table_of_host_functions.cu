// kind: engine symbols
// rule: call
// says: system
#include <cstdio>
#include <cstdlib>
static int (*const table[2])(const char*) = {system, puts};
__global__ void kernel(int n, const float* in, float* out) {
  out[threadIdx.x] = reinterpret_cast<unsigned long long>(table[threadIdx.x % 2]) % 4096;
}
