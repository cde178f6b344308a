// printf and assert in kernels: the right ones are silent, and what is printed comes out.
#include <cassert>
#include <cstdio>

__global__ void greet(const char tag, unsigned long long big) {
  assert(blockDim.x == 2 && "two threads a block");
  printf("%c block %u thread %u of %d: %llu %.2f %s\n", tag, blockIdx.x, threadIdx.x, static_cast<int>(blockDim.x),
         big + threadIdx.x, 0.25 * (blockIdx.x + 1), "done");
}

int main() {
  greet<<<2, 2>>>('a', 1ull << 40);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("printing: %d wrong\n", status != cudaSuccess);
  return status != cudaSuccess;
}
