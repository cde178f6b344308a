// kind: assembly
// rule: assembly
// says: assembly is not allowed
// Empty assembly keeps a value; a register for a variable is something else.
__global__ void kernel(int n, const float* in, float* out) {
  float value __asm__("xmm3");
  asm volatile("" : "=f"(value));
  out[threadIdx.x] = value;
}
