// Counts rounds instead of elements.
__global__ void square(int n, float* data) {
  const int threads = gridDim.x * blockDim.x;
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  const int rounds = (n + threads - 1) / threads;
  for (int round = 0; round < rounds; ++round) {
    const int i = round * threads + me;
    if (i >= n) break;
    const float value = data[i];
    data[i] = value * value;
  }
}
