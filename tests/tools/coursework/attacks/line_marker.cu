// kind: uncounted access
// rule: directive
// says: is not allowed
# 1 "/usr/include/stdio.h" 1 3
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
