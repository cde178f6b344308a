#include <cstdio>

extern __device__ int total;
extern __global__ void add(int n);
__device__ void add_by_threads(int threads);

__global__ void parent() {
  add_by_threads(threadIdx.x);
  add<<<2, 2>>>(1000);
}

int main() {
  parent<<<1, 4>>>();
  int sum = 0;
  const cudaError_t error = cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  std::printf("%d %s\n", sum, cudaGetErrorName(error));
}
