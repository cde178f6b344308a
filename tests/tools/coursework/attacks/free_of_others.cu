// kind: engine symbols
// run: error cudaErrorLaunchFailure
#include <cstdlib>
__global__ void kernel(int n, const float* in, float* out) { free(out); }
