// kind: engine
// run: not to the thread's own local memory
// Goes on upwards, to where the engine keeps what it needs.
__global__ void kernel(int n, const float* in, float* out) {
  unsigned local[4];
  for (int i = 0; i < n; ++i) local[i] = 0u;
  out[threadIdx.x] = static_cast<float>(local[n & 3]);
}
