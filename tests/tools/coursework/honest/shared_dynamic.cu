// shared: 1024
// The same in dynamic shared memory, with two arrays in it.
extern __shared__ float staged[];
__device__ float* second_half() {
  extern __shared__ float again[];
  return again + 128;
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  staged[t] = i < n ? in[i] : 0.0f;
  second_half()[blockDim.x - 1 - t] = static_cast<float>(t);
  __syncthreads();
  if (i < n) out[i] = staged[(t + 1) % blockDim.x] + second_half()[t];
}
