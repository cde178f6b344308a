// kind: uncounted access
// rule: pragma
// says: nvcc's own pragmas
#pragma GCC system_header
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
