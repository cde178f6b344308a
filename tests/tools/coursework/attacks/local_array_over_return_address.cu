// kind: engine
// run: where a function returns to
// Writes beyond a local array over the address that the function returns to.
__device__ __noinline__ float spoil(int from, int to) {
  unsigned local[4];
  for (int i = from; i < to; ++i) local[i] = 0x41414141u + static_cast<unsigned>(i);
  return static_cast<float>(local[from & 3]);
}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = spoil(0, n / 100); }
