// kind: ending the process
// run: local memory of one thread is exhausted
__device__ __noinline__ float deeper(const float* p, int i) {
  return i < 0 ? *p : 1.0f + deeper(p + 1, i + 1) * deeper(p, i + 2);
}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = deeper(in, 1); }
