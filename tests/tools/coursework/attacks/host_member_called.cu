// kind: uncounted access
// rule: call
// says: Peek::at
struct Peek {
  const float* p;
  float at(int i) { return p[i]; }
};
__global__ void kernel(int n, const float* in, float* out) {
  Peek peek{in};
  out[threadIdx.x] = peek.at(threadIdx.x);
}
