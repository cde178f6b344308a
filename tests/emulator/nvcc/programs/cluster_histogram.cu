// flags: -arch=sm_90
// A histogram whose bins lie spread over the shared memory of a cluster's blocks; its size is what
// the device offers.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void histogram(const unsigned* in, int n, int bins, unsigned* out) {
  extern __shared__ unsigned mine[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int part = bins / static_cast<int>(cluster.num_blocks());
  for (int i = threadIdx.x; i < part; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    const int bin = in[i] % bins;
    unsigned* const there = cluster.map_shared_rank(mine, bin / part);
    atomicAdd(there + bin % part, 1);
  }
  cluster.sync();  // nobody leaves while others count here
  for (int i = threadIdx.x; i < part; i += blockDim.x)
    atomicAdd(&out[cluster.block_rank() * part + i], mine[i]);
}

int main() {
  const int n = 50'000, bins = 4096, threads = 128;
  std::vector<unsigned> in(n), expected(bins), found(bins);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 2654435761u >> 7;
    ++expected[in[i] % bins];
  }
  unsigned *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(unsigned));
  cudaMalloc(&d_out, bins * sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);

  int wrong = 0, largest = 0;
  cudaLaunchConfig_t config = {};
  config.blockDim = threads;
  config.gridDim = 16;
  cudaOccupancyMaxPotentialClusterSize(&largest, histogram, &config);
  for (int size = 1; size <= largest; size *= 2) {
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = size;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    config.dynamicSmemBytes = bins / size * sizeof(unsigned);
    int clusters = 0;
    wrong += cudaOccupancyMaxActiveClusters(&clusters, histogram, &config) != cudaSuccess;
    wrong += clusters < 1;
    cudaMemset(d_out, 0, bins * sizeof(unsigned));
    wrong += cudaLaunchKernelEx(&config, histogram, (const unsigned*)d_in, n, bins, d_out) !=
             cudaSuccess;
    cudaMemcpy(found.data(), d_out, bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
    wrong += found != expected;
  }
  wrong += largest != 8 || cudaGetLastError() != cudaSuccess;
  std::printf("cluster_histogram: %d wrong\n", wrong);
  return wrong != 0;
}
