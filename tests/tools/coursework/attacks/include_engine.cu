// kind: engine symbols
// rule: include
// says: counters.h
#include <emulator/counters.h>
__global__ void kernel(int n, const float* in, float* out) {}
