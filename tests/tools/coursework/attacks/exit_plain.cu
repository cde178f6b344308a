// kind: ending the process
// rule: call
// says: exit
#include <cstdlib>
__global__ void kernel(int n, const float* in, float* out) { exit(0); }
