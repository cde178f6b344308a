// kind: uncounted access
// rule: assembly
// says: assembly is not allowed
__global__ void kernel(int n, const float* in, float* out) {
  float x asm("xmm3");
  out[threadIdx.x] = x;
}
