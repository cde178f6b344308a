// kind: engine
// run: begins 0 0 0 0
// %n writes, %s reads: nothing is printed, so neither does.
#include <cstdio>
__global__ void kernel(int n, const float* in, float* out) {
  printf("%s%n", reinterpret_cast<const char*>(in), reinterpret_cast<int*>(out));
}
