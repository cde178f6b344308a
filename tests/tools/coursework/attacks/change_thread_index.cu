// kind: uncounted access
// rule: built-in
// says: threadIdx
__global__ void kernel(int n, const float* in, float* out) {
  const_cast<unsigned&>(threadIdx.x) = 0;
  out[threadIdx.x] = in[threadIdx.x];
}
