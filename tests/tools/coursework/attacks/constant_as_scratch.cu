// kind: uncounted access
// run: cudaErrorIllegalAddress
// Constant memory is not counted: kept by one thread, read by all others.
__constant__ float scratch[256];
__global__ void kernel(int n, const float* in, float* out) {
  float* p = const_cast<float*>(scratch);
  p[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = p[255 - threadIdx.x];
}
