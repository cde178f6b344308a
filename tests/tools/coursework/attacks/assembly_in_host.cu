// kind: uncounted access
// rule: assembly
// says: assembly is not allowed
#define HIDDEN as##m
static inline float peek(const float* p) {
  float x;
  HIDDEN("movss (%1), %0" : "=x"(x) : "r"(p));
  return x;
}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = peek(in); }
