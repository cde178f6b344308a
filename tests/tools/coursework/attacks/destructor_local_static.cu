// kind: ending the process
// rule: variable
// says: last
__global__ void kernel(int n, const float* in, float* out) {
  static float last = 0.0f;
  last += in[threadIdx.x];
  out[threadIdx.x] = last;
}
