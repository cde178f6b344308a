// Kernels with mistakes in barriers of blocks and warps, each run in its own process: prints the
// results of the calls after the launch.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <map>
#include <string>

#include "emulator/cluster_launch.hpp"

namespace {

namespace cg = cooperative_groups;

__global__ void plain_grid_sync(unsigned* out) {
  cg::this_grid().sync();
  out[blockIdx.x] = 1;
}

__global__ void read_of_no_block(unsigned* out, int rank) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned mine;
  mine = 7;
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, rank);
  cluster.sync();
}

__global__ void write_to_no_block(unsigned* out, int rank) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned mine;
  mine = 7;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&mine, rank) = 3;
  cluster.sync();
  out[blockIdx.x] = mine;
}

__global__ void read_behind_the_end(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned mine;
  mine = 7;
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = cluster.map_shared_rank(&mine, 1)[100000];
  cluster.sync();
}

// Block 1 exits while block 0 still reads its memory.
__global__ void read_of_a_block_that_left(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned mine;
  mine = 7 + blockIdx.x;
  cluster.sync();
  if (blockIdx.x == 1) return;
  const long long begin = clock64();
  while (clock64() - begin < 2000000) __nanosleep(100);
  if (threadIdx.x == 0) out[0] = *cluster.map_shared_rank(&mine, 1);
}

__global__ void barrier_of_some(unsigned* out, unsigned count) {
  if (threadIdx.x < 64) __barrier_sync_count(1, count);
  out[threadIdx.x] = 1;
}

const std::map<std::string, void (*)(unsigned*)> kBroken = {
    {"grid.sync() of a plain launch", [](unsigned* out) { plain_grid_sync<<<2, 32>>>(out); }},
    {"a read of block 5 of 2",
     [](unsigned* out) {
       launch_together({{2, 1, 1}}, 2, 32, read_of_no_block, out, 5);
     }},
    {"a write to block 5 of 2",
     [](unsigned* out) {
       launch_together({{2, 1, 1}}, 2, 32, write_to_no_block, out, 5);
     }},
    {"a read behind a block's shared memory",
     [](unsigned* out) {
       launch_together({{2, 1, 1}}, 2, 32, read_behind_the_end, out);
     }},
    {"a read of a block that left",
     [](unsigned* out) {
       launch_together({{2, 1, 1}}, 2, 32, read_of_a_block_that_left, out);
     }},
    {"a barrier of 48 threads", [](unsigned* out) { barrier_of_some<<<1, 128>>>(out, 48); }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto broken = argc == 2 ? kBroken.find(argv[1]) : kBroken.end();
  if (broken == kBroken.end()) {
    std::fprintf(stderr, "usage: broken_meetings NAME\n");
    return 2;
  }
  unsigned* out = nullptr;
  cudaMalloc(&out, 1024);
  broken->second(out);
  std::printf("%s", cudaGetErrorName(cudaGetLastError()));
  std::printf(" %s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %s", cudaGetErrorName(cudaGetLastError()));
  std::printf(" %s\n", cudaGetErrorName(cudaMalloc(&out, 4)));
}
