// A whole program and no more: docs/setup.md shows it.
#include <cstdio>
#include <vector>

__global__ void twice(int n, float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> host(n, 21.0f);
  float* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice);
  twice<<<8, 128>>>(n, device);
  cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
  cudaFree(device);

  int wrong = 0;
  for (float x : host) wrong += x != 42.0f;
  std::printf("first: %d wrong (%s)\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
