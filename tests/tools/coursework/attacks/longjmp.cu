// kind: ending the process
// rule: include
// says: setjmp
#include <csetjmp>
__global__ void kernel(int n, const float* in, float* out) {}
