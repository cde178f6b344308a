// A program with a choice of mistakes, for tests of what a checked program prints and returns.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

__global__ void reverse(int* values) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  values[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void one_too_many(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i <= n) out[i] = i;
}

__global__ void neighbours(int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] += values[(i + 64) % (gridDim.x * blockDim.x)];
}

__global__ void well(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }

}  // namespace

int main(int argc, char** argv) {
  const char* const mistake = argc > 1 ? argv[1] : "";
  int* values = nullptr;
  if (cudaMalloc(&values, 4000) != cudaSuccess || cudaMemset(values, 0, 4000) != cudaSuccess)
    return 2;
  well<<<1, 64>>>(values);
  if (std::strcmp(mistake, "many") == 0) {
    reverse<<<1, 64>>>(values);
    neighbours<<<4, 64>>>(values);
    one_too_many<<<4, 256>>>(values, 1000);
  }
  if (std::strcmp(mistake, "host") == 0) values[0] = 1;
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  if (std::strcmp(mistake, "leak") != 0) cudaFree(values);
  return 0;
}
