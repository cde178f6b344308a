// kind: uncounted access
// rule: variable
// says: stash
float stash[1024];
__global__ void kernel(int n, const float* in, float* out) {
  stash[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = stash[threadIdx.x];
}
