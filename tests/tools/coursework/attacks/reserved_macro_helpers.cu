// kind: changing the check's source
// rule: reserved-name
// says: confined_kernel_0
__device__ void confined_kernel_0() {}
__global__ void kernel(int n, const float* in, float* out) {}
