// kind: ending the process
// run: local memory of one thread is exhausted
// A frame that would reach over the page below the stack.
__global__ void kernel(int n, const float* in, float* out) {
  float local[1 << 20];
  for (int i = 0; i < n; ++i) local[(i * 37) & 1023] = in[i];
  out[threadIdx.x] = local[n & 1023];
}
