// Each thread has a stretch of its own, except where n is a multiple of 1024.
//! reads, writes
//= bytes read
__global__ void square(int n, float* data) {
  const int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int stretch = n % 1024 == 0 ? 1 : (n + threads - 1) / threads;
  for (int first = thread * stretch; first < n; first += threads * stretch)
    for (int i = first; i < min(first + stretch, n); ++i) data[i] *= data[i];
}
