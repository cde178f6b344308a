// kind: expected results
// run: cudaErrorIllegalAddress
// Reads the memory of the program that it runs in.
__global__ void kernel(int n, const float* in, float* out) {
  const float* p = reinterpret_cast<const float*>(0x400000ull + 64ull * static_cast<unsigned>(n));
  out[threadIdx.x] = p[threadIdx.x];
}
