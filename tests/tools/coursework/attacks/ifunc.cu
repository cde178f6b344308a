// kind: ending the process
// rule: attribute
// says: ifunc
__device__ void work() __attribute__((ifunc("choose")));
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = 1.0f; }
