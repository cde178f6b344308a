// kind: uncounted access
// run: cudaErrorIllegalAddress
// The address of blockIdx goes through memory, so that only the run can tell.
__global__ void kernel(int n, const float* in, float* out) {
  const unsigned* places[4] = {&blockIdx.x, &blockDim.x, &threadIdx.x, &gridDim.x};
  *const_cast<unsigned*>(places[n & 3]) = 5;
  out[threadIdx.x] = in[threadIdx.x];
}
