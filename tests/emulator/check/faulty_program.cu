// A program with a choice of mistakes, for tests of what a checked program prints and returns.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cassert>
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

/// The blocks of a cluster take turns. With a size that is not the cluster's, it writes too far.
__global__ void __cluster_dims__(2, 1, 1) exchange(int* out, int first) {
  namespace cg = cooperative_groups;
  __shared__ int mine;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = static_cast<int>(blockIdx.x);
  cluster.sync();
  if (threadIdx.x == 0)
    out[first + static_cast<int>(blockIdx.x)] = *cluster.map_shared_rank(&mine, 1 - blockIdx.x);
  cluster.sync();
}

__global__ void asserts(const int* out) { assert(out == nullptr); }

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
  if (std::strcmp(mistake, "none in a cluster") == 0) {
    exchange<<<2, 32>>>(values, 0);
    exchange<<<2, 32>>>(values, 2);
  }
  if (std::strcmp(mistake, "too far in a cluster") == 0) exchange<<<2, 32>>>(values, 999);
  if (std::strcmp(mistake, "host") == 0) values[0] = 1;
  if (std::strcmp(mistake, "null") == 0) well<<<1, 64>>>(nullptr);
  if (std::strcmp(mistake, "assert") == 0) asserts<<<1, 64>>>(values);
  if (std::strcmp(mistake, "failed call") == 0)
    cudaMemcpy(values, nullptr, 4, cudaMemcpyHostToDevice);
  if (std::strcmp(mistake, "managed leak") == 0) {
    char* byte = nullptr;
    cudaMallocManaged(&byte, 1);
  }
  if (std::strcmp(mistake, "several leaks") == 0) {
    // clang-format off
    for (int i = 0; i < 3; ++i) { char* same = nullptr; char* larger = nullptr; cudaMalloc(&same, 10); cudaMalloc(&larger, i == 2 ? 33 : 10); }
    // clang-format on
  }
  if (std::strcmp(mistake, "gives up") == 0) return 3;
  if (std::strcmp(mistake, "leak until the reset") == 0) cudaDeviceReset();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  if (std::strncmp(mistake, "leak", 4) != 0) cudaFree(values);
  return 0;
}
