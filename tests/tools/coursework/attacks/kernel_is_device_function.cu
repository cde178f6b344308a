// kind: no kernel
// rule: kernel-not-global
// says: __global__
__device__ void kernel(int n, const float* in, float* out) {}
