// kind: uncounted access
// rule: assembly
// says: assembly is not allowed
asm(".globl peek\npeek: movss (%rdi), %xmm0\nret");
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = 0.0f; }
