// kind: ending the process
// rule: constructor
// says: constructor
struct Early {
  int value;
  __device__ Early() : value(__float2int_rn(sinf(static_cast<float>(sizeof(this))))) {}
};
__device__ Early early;
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = early.value; }
