// kind: engine symbols
// rule: reserved-name
// says: __tsan_read4
__device__ void __tsan_read4(void*) {}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
