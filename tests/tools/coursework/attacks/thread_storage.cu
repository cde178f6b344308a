// kind: engine symbols
// run: cudaErrorIllegalAddress
// Shared memory lies beside what the engine keeps for a thread: walks there.
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ int tile[4];
  int* p = tile;
  for (int i = 0; i < n * 1000; ++i) p[-i] = 0;
  out[threadIdx.x] = static_cast<float>(tile[0]);
}
