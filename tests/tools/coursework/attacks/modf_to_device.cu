// kind: uncounted access
// run: through the C library
// The C library writes through a pointer that it is given.
__global__ void kernel(int n, const float* in, float* out) {
  modff(in[threadIdx.x], out + threadIdx.x);
}
