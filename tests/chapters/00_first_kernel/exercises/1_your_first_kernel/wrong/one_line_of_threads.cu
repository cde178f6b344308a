// The first 32 threads do everything, and the others look on.
//! all threads
//= loads and stores of the busiest threads
__global__ void scale_and_add(int n, float factor, const float* x, float* y) {
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; threadIdx.x < 32 && i < n; i += 32) y[i] += factor * x[i];
}
