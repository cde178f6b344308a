// kind: uncounted access
// rule: directive
// says: is not allowed
/* a comment
*/ %:li\
ne 7 "cuda_runtime.h"
__global__ void kernel(int n, const float* in, float* out) { out[0] = in[0]; }
