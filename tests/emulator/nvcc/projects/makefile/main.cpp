#include <cuda_runtime.h>

#include <cstdio>

void launch_answer(int* out);

int main() {
  int* out;
  if (cudaMallocManaged(reinterpret_cast<void**>(&out), sizeof(int)) != cudaSuccess) return 1;
  launch_answer(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  std::printf("the device says %d\n", *out);
  return *out == 5 ? 0 : 3;
}
