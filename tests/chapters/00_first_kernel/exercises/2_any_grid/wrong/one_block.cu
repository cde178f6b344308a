// One block does everything, and the others look on.
//! all threads
//= loads and stores of the busiest threads
__global__ void square(int n, float* data) {
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] *= data[i];
}
