// kind: ending the process
// rule: attribute
// says: constructor
__attribute__((constructor)) __device__ void early() {}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = 1.0f; }
