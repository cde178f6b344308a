// kind: engine symbols
// rule: attribute
// says: alias
__device__ void target() {}
__device__ void other() __attribute__((alias("__tsan_write4")));
__global__ void kernel(int n, const float* in, float* out) {}
