// kind: engine symbols
// rule: call
// says: set_counting
// Without `extern`: a declaration in a function.
__device__ void set_counting(bool on);
__global__ void kernel(int n, const float* in, float* out) {
  set_counting(false);
  out[threadIdx.x] = in[threadIdx.x];
}
