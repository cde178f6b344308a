// A pointer walks through the array in steps as long as the grid has threads.
__global__ void square(int n, float* data) {
  const int threads = gridDim.x * blockDim.x;
  float* at = data + blockIdx.x * blockDim.x + threadIdx.x;
  while (at < data + n) {
    *at = *at * *at;
    at += threads;
  }
}
