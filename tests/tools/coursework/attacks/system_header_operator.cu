// kind: uncounted access
// rule: pragma
// says: nvcc's own pragmas
_Pragma("GCC optimize(\"tree-vectorize\")")
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
