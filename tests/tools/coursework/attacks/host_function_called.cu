// kind: uncounted access
// rule: host-function
// says: device code calls it (line 6)
static inline float peek(const float* p) { return *p; }
__global__ void kernel(int n, const float* in, float* out) {
  out[threadIdx.x] = peek(in + threadIdx.x);
}
