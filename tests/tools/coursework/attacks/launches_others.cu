// kind: no kernel
// rule: launch
// says: launches no kernels
__global__ void other(int n, const float* in, float* out) {}
__global__ void kernel(int n, const float* in, float* out) { other<<<1, 1>>>(n, in, out); }
