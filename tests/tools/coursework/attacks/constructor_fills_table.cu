// kind: ending the process
// rule: constructor
// says: constructor
__device__ float table[4];
struct Fill {
  __device__ Fill() { table[0] = sinf(table[1]); }
};
Fill fill;
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = table[0]; }
