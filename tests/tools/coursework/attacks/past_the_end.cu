// kind: engine
// run: finding memcheck out_of_bounds
// One element behind an allocation, in a page that is mapped: a device would go on.
__global__ void kernel(int n, const float* in, float* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) out[n] = in[n - 1];
}
