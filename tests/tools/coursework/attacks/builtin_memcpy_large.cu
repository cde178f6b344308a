// kind: uncounted access
// rule: builtin
// says: __builtin_memcpy
__global__ void kernel(int n, const float* in, float* out) {
  __builtin_memcpy(out, in, 4000);
}
