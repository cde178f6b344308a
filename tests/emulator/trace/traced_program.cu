// Kernels with requests of all kinds, for tests of traces.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int kN = 1000;

__constant__ int step = 1;
__device__ int total;

struct Point3 {
  float x, y, z;
};

__global__ void twice(int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kN) values[i] *= 2;
}

__global__ void two_sides(int* even, int* odd, int* both) {
  if (threadIdx.x % 2 == 0)
    even[threadIdx.x] = 1;
  else
    odd[threadIdx.x] = 2;
  __syncwarp();
  both[threadIdx.x] = 3;
}

__global__ void ragged(int* values) {
  for (unsigned turn = 0; turn < 1 + threadIdx.x % 3; ++turn) values[32 * turn + threadIdx.x] = 1;
  values[512 + threadIdx.x] = 2;
}

__global__ void reverse(int* values) {
  __shared__ int tile[64];
  extern __shared__ double wide[];
  tile[threadIdx.x] = values[threadIdx.x];
  wide[32 * threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[63 - threadIdx.x] + static_cast<int>(wide[0]);
}

__global__ void rounds(int* values) {
  for (int round = 0; round < 20; ++round) values[threadIdx.x + 32 * round] += step;
  if (threadIdx.x == 5) atomicAdd(&total, 1);
}

__global__ void copy_points(const Point3* from, Point3* to) { to[threadIdx.x] = from[threadIdx.x]; }

// The first store goes to the other block, the second to both blocks.
__global__ void __cluster_dims__(2, 1, 1) to_neighbours() {
  const auto cluster = cooperative_groups::this_cluster();
  __shared__ alignas(128) int inbox[64];
  cluster.sync();
  cluster.map_shared_rank(inbox, cluster.block_rank() ^ 1)[2 * threadIdx.x] = 1;
  cluster.map_shared_rank(inbox, threadIdx.x % 2)[threadIdx.x] = 2;
  cluster.sync();
}

__global__ void astray(int* values) { values[1 << 20] = 1; }

}  // namespace

int main(int argc, char** argv) {
  const char* const wanted = argc > 1 ? argv[1] : "";
  if (std::strcmp(wanted, "nothing") == 0) return 0;
  int* values = nullptr;
  if (cudaMalloc(&values, kN * sizeof(int)) != cudaSuccess) return 2;
  cudaMemset(values, 0, kN * sizeof(int));
  if (std::strcmp(wanted, "often") == 0) {
    for (int i = 0; i < 20; ++i) twice<<<16, dim3(8, 8)>>>(values);
  } else {
    twice<<<16, 64>>>(values);
    two_sides<<<1, 32>>>(values, values + 128, values + 256);
    ragged<<<1, 32>>>(values);
    reverse<<<1, 64, 64 * 32 * sizeof(double)>>>(values);
    rounds<<<1, 32>>>(values);
    copy_points<<<1, 32>>>(reinterpret_cast<Point3*>(values),
                           reinterpret_cast<Point3*>(values + 100));
    to_neighbours<<<2, 32>>>();
    if (std::strcmp(wanted, "astray") == 0) astray<<<1, 1>>>(values);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(values);
  return 0;
}
