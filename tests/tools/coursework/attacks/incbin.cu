// kind: the grader
// rule: assembly
// says: assembly is not allowed
asm(".section .rodata\nsecret: .incbin \"/etc/passwd\"");
__global__ void kernel(int n, const float* in, float* out) {}
