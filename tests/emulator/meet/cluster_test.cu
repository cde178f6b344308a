// Tests clusters: their members, barrier, and the shared memory of other blocks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cuda/ptx>
#include <utility>

#include "emulator/cluster_launch.hpp"
#include "emulator/device/device_array.hpp"

namespace {

namespace cg = cooperative_groups;

__device__ unsigned digits(dim3 size) { return size.x * 100 + size.y * 10 + size.z; }

__device__ unsigned block_number() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

constexpr unsigned kFacts = 12;

__global__ void facts(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = 1000 + block_number();
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned* const o = out + block_number() * kFacts;
    const int last = static_cast<int>(cluster.num_blocks()) - 1;
    o[0] = cluster.block_rank();
    o[1] = cluster.num_blocks();
    o[2] = digits(cluster.dim_blocks());
    o[3] = digits(cluster.block_index());
    o[4] = *cluster.map_shared_rank(&mine, last);
    o[5] = cluster.query_shared_rank(cluster.map_shared_rank(&mine, last));
    o[6] = cluster.thread_rank();
    o[7] = cluster.num_threads();
    o[8] = static_cast<unsigned>(grid.cluster_rank());
    o[9] = static_cast<unsigned>(grid.num_clusters());
    o[10] = digits(grid.cluster_index());
    o[11] = digits(grid.dim_clusters());
  }
  cluster.sync();
}

__device__ bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Checks that alternative names give the same values.
__global__ void other_names(int* agree, unsigned* specified) {
  namespace ptx = cuda::ptx;
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  const dim3 size(ptx::get_sreg_cluster_nctaid_x(), ptx::get_sreg_cluster_nctaid_y(),
                  ptx::get_sreg_cluster_nctaid_z());
  const dim3 index(ptx::get_sreg_cluster_ctaid_x(), ptx::get_sreg_cluster_ctaid_y(),
                   ptx::get_sreg_cluster_ctaid_z());
  const dim3 cluster_index(ptx::get_sreg_clusterid_x(), ptx::get_sreg_clusterid_y(),
                           ptx::get_sreg_clusterid_z());
  const dim3 clusters(ptx::get_sreg_nclusterid_x(), ptx::get_sreg_nclusterid_y(),
                      ptx::get_sreg_nclusterid_z());
  const bool all =
      same(size, __clusterDim()) && same(size, cluster.dim_blocks()) &&
      same(index, __clusterRelativeBlockIdx()) && same(index, cluster.block_index()) &&
      same(cluster_index, __clusterIdx()) && same(cluster_index, grid.cluster_index()) &&
      same(clusters, __clusterGridDimInClusters()) && same(clusters, grid.dim_clusters()) &&
      ptx::get_sreg_cluster_ctarank() == cluster.block_rank() &&
      __clusterRelativeBlockRank() == cluster.block_rank() &&
      ptx::get_sreg_cluster_nctarank() == cluster.num_blocks() &&
      __clusterSizeInBlocks() == cluster.num_blocks() && cluster.size() == cluster.num_threads() &&
      cluster.dim_threads().x == size.x * blockDim.x &&
      cluster.thread_index().y == index.y * blockDim.y + threadIdx.y &&
      ptx::get_sreg_is_explicit_cluster() == (__clusterDimIsSpecified() != 0);
  if (!all) atomicAnd(agree, 0);
  *specified = __clusterDimIsSpecified();
}

__global__ void __cluster_dims__(2, 1, 1) in_pairs(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = cluster.block_rank() * 100 + cluster.num_blocks();
}

__global__ void halves(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned mine;
  mine = blockIdx.x + 5;
  auto token = cluster.barrier_arrive();
  const unsigned meanwhile = threadIdx.x * 2;
  cluster.barrier_wait(std::move(token));
  if (threadIdx.x == 1)
    out[blockIdx.x] =
        *cluster.map_shared_rank(&mine, static_cast<int>(cluster.block_rank() ^ 1)) + meanwhile;
  cluster.sync();
}

// One thread of each block has returned before the others meet.
__global__ void one_thread_leaves(unsigned* out) {
  if (threadIdx.x == 5) return;
  cg::this_cluster().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

// A value goes round the cluster, one block per step; threads of all warps take part.
__global__ void go_round(unsigned* out, int rounds) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned here[2][128];
  const int next = static_cast<int>((cluster.block_rank() + 1) % cluster.num_blocks());
  here[0][threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  cluster.sync();
  for (int round = 0; round < rounds; ++round) {
    unsigned* const there = cluster.map_shared_rank(here[(round + 1) % 2], next);
    there[threadIdx.x] = here[round % 2][threadIdx.x];
    if (round % 2 == 0) {
      cluster.sync();
    } else {
      cluster.barrier_arrive();
      cluster.barrier_wait();
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = here[rounds % 2][threadIdx.x];
  cluster.sync();
}

// A cluster's counts are distributed over the shared memory of its blocks.
__global__ void histogram(const unsigned char* in, unsigned count, unsigned* out) {
  constexpr unsigned kBins = 256;
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned bins[kBins];
  const unsigned part = kBins / cluster.num_blocks();
  for (unsigned i = threadIdx.x; i < part; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    const unsigned bin = in[i];
    atomicAdd(cluster.map_shared_rank(bins, static_cast<int>(bin / part)) + bin % part, 1u);
  }
  cluster.sync();
  for (unsigned i = threadIdx.x; i < part; i += blockDim.x)
    atomicAdd(&out[cluster.block_rank() * part + i], bins[i]);
}

}  // namespace

TEST_CASE("the blocks of a cluster are numbered x first") {
  DeviceArray<unsigned> out(16 * kFacts);
  REQUIRE(launch_together({{2, 2, 2}}, dim3(4, 2, 2), 32, facts, out.data()) == cudaSuccess);
  require_finished();
  for (unsigned block = 0; block < 16; ++block) {
    CAPTURE(block);
    const unsigned* const o = out.data() + block * kFacts;
    const unsigned x = block % 4, y = block / 4 % 2, z = block / 8;
    const unsigned rank = x % 2 + 2 * y + 4 * z, cluster = x / 2;
    CHECK(o[0] == rank);
    CHECK(o[1] == 8);
    CHECK(o[2] == 222);
    CHECK(o[3] == x % 2 * 100 + y * 10 + z);
    CHECK(o[4] == 1013 + 2 * cluster);  // of block (2 cluster + 1, 1, 1)
    CHECK(o[5] == 7);
    CHECK(o[6] == rank * 32);
    CHECK(o[7] == 256);
    CHECK(o[8] == cluster);
    CHECK(o[9] == 2);
    CHECK(o[10] == cluster * 100);
    CHECK(o[11] == 211);
  }
}

TEST_CASE("without clusters, each block is its own") {
  DeviceArray<unsigned> out(2 * kFacts);
  facts<<<2, 32>>>(out.data());
  require_finished();
  const unsigned expected[2][kFacts] = {{0, 1, 111, 0, 1000, 0, 0, 32, 0, 2, 0, 211},
                                        {0, 1, 111, 0, 1001, 0, 0, 32, 1, 2, 100, 211}};
  for (unsigned block = 0; block < 2; ++block)
    for (unsigned i = 0; i < kFacts; ++i) {
      CAPTURE(block);
      CAPTURE(i);
      CHECK(out[block * kFacts + i] == expected[block][i]);
    }
}

TEST_CASE("a cluster's facts have several names") {
  for (const Together& together : {Together{}, Together{{1, 2, 1}}, Together{{2, 2, 2}}}) {
    DeviceArray<int> agree(1);
    DeviceArray<unsigned> specified(1);
    agree[0] = 1;
    REQUIRE(launch_together(together, dim3(4, 4, 2), dim3(8, 4), other_names, agree.data(),
                            specified.data()) == cudaSuccess);
    require_finished();
    CHECK(agree[0] == 1);
    CHECK((specified[0] != 0) == (together.cluster.x != 0));
  }
}

TEST_CASE("a kernel's definition makes clusters of every launch") {
  DeviceArray<unsigned> out(8);
  const auto check = [&](unsigned blocks) {
    require_finished();
    for (unsigned block = 0; block < blocks; ++block) CHECK(out[block] == block % 2 * 100 + 2);
  };
  in_pairs<<<4, 32>>>(out.data());
  check(4);
  REQUIRE(launch_together({{2, 1, 1}}, 8, 32, in_pairs, out.data()) == cudaSuccess);
  check(8);
  unsigned* pointer = out.data();
  void* arguments[] = {&pointer};
  REQUIRE(cudaLaunchCooperativeKernel(in_pairs, dim3(4), dim3(32), arguments) == cudaSuccess);
  check(4);
}

TEST_CASE("a cluster's barrier has two halves") {
  DeviceArray<unsigned> out(2);
  REQUIRE(launch_together({{2, 1, 1}}, 2, 32, halves, out.data()) == cudaSuccess);
  require_finished();
  CHECK(out[0] == 8);
  CHECK(out[1] == 7);
}

TEST_CASE("a cluster's barrier does not wait for threads that have exited") {
  DeviceArray<unsigned> out(2);
  REQUIRE(launch_together({{2, 1, 1}}, 2, 32, one_thread_leaves, out.data()) == cudaSuccess);
  require_finished();
  CHECK(out[0] == 1);
  CHECK(out[1] == 1);
}

TEST_CASE("blocks write into each other's shared memory, round after round") {
  for (const unsigned size : {1, 2, 3, 8}) {
    for (const int rounds : {1, 2, 7}) {
      CAPTURE(size);
      CAPTURE(rounds);
      const unsigned blocks = 3 * size, threads = 128;
      DeviceArray<unsigned> out(std::size_t{blocks} * threads);
      REQUIRE(launch_together({{size, 1, 1}}, blocks, threads, go_round, out.data(), rounds) ==
              cudaSuccess);
      require_finished();
      bool equal = true;
      for (unsigned block = 0; block < blocks; ++block)
        for (unsigned thread = 0; thread < threads; ++thread) {
          const unsigned rank = block % size, first = block - rank;
          const unsigned from = first + (rank + 7 * size - static_cast<unsigned>(rounds)) % size;
          equal &= out[block * threads + thread] == from * 1000 + thread;
        }
      CHECK(equal);
    }
  }
}

TEST_CASE("atomics in another block's shared memory") {
  constexpr unsigned kCount = 10000;
  DeviceArray<unsigned char> in(kCount);
  unsigned expected[256] = {};
  for (unsigned i = 0; i < kCount; ++i) {
    in[i] = static_cast<unsigned char>(i * i / 7);
    ++expected[in[i]];
  }
  for (const unsigned size : {2, 4, 8}) {
    CAPTURE(size);
    DeviceArray<unsigned> out(256);
    for (unsigned bin = 0; bin < 256; ++bin) out[bin] = 0;
    REQUIRE(launch_together({{size, 1, 1}}, 16, 64, histogram,
                            static_cast<const unsigned char*>(in.data()), kCount,
                            out.data()) == cudaSuccess);
    require_finished();
    for (unsigned bin = 0; bin < 256; ++bin) CHECK(out[bin] == expected[bin]);
  }
}
