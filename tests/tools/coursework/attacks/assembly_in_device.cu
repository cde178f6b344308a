// kind: uncounted access
// rule: assembly
// says: assembly is not allowed
__global__ void kernel(int n, const float* in, float* out) {
  float x;
  __asm__ volatile("movss (%1), %0" : "=x"(x) : "r"(in));
  out[threadIdx.x] = x;
}
