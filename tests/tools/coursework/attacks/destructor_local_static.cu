// kind: ending the process
// rule: variable
// says: last
struct Last {
  float value;
  __device__ ~Last() { value = 0; }
};
__global__ void kernel(int n, const float* in, float* out) {
  static Last last = {0.0f};
  last.value += in[threadIdx.x];
  out[threadIdx.x] = last.value;
}
