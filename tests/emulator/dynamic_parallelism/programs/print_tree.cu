/// A tree of blocks: each block's first thread launches the blocks below it, and all print.
#include <cstdio>

__device__ int numbered = 0;

__global__ void tree(int most_depth, int depth, int parent) {
  __shared__ int number;
  if (threadIdx.x == 0) {
    number = atomicAdd(&numbered, 1);
    for (int i = 0; i < depth; ++i) printf("|  ");
    printf("block %d of %d, launched by %d, at depth %d\n", static_cast<int>(blockIdx.x),
           static_cast<int>(gridDim.x), parent, depth);
  }
  __syncthreads();
  if (threadIdx.x == 0 && depth < most_depth)
    tree<<<gridDim.x, blockDim.x>>>(most_depth, depth + 1, number);
}

int main() {
  tree<<<2, 2>>>(2, 0, -1);
  const cudaError_t error = cudaDeviceSynchronize();
  int blocks = 0;
  cudaMemcpyFromSymbol(&blocks, numbered, sizeof blocks);
  std::printf("%d blocks, %s\n", blocks, cudaGetErrorName(error));
}
