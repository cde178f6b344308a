// kind: ending the process
// rule: reserved-name
// says: _Exit
#include <cstdlib>
__global__ void kernel(int n, const float* in, float* out) { _Exit(0); }
