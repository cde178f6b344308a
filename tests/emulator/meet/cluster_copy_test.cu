// Tests mbarriers in another block's shared memory, and bulk copies across a cluster.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>

#include "emulator/cluster_launch.hpp"
#include "emulator/device/device_array.hpp"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr unsigned kTile = 32;  // floats, one for each thread
constexpr unsigned kTileBytes = kTile * sizeof(float);

// All threads of the cluster arrive at a barrier of block 0, whose threads wait.
__global__ void arrive_at_first(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ std::uint64_t barrier;
  __shared__ unsigned box;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, cluster.num_threads());
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  if (cluster.block_rank() == cluster.num_blocks() - 1 && threadIdx.x == 0)
    *cluster.map_shared_rank(&box, 0) = 77;
  ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                       cluster.map_shared_rank(&barrier, 0));
  if (cluster.block_rank() == 0) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0u)) {
    }
    out[threadIdx.x] = box;
  }
  cluster.sync();
}

// Block 0 copies a tile to the blocks of `mask`, which wait for it.
__global__ void spread(const float* in, float* out, std::uint16_t mask) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ alignas(128) float tile[kTile];
  __shared__ std::uint64_t barrier;
  const bool receives = (mask >> cluster.block_rank() & 1) != 0;
  tile[threadIdx.x] = -1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    if (receives)
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                     std::uint32_t{kTileBytes});
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, std::uint32_t{kTileBytes},
                       &barrier, mask);
  if (receives) {
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
    }
  }
  __syncthreads();
  out[blockIdx.x * kTile + threadIdx.x] = tile[threadIdx.x];
  cluster.sync();
}

// Each block copies a tile into the other block of its pair.
__global__ void exchange(float* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ alignas(128) float from[kTile];
  __shared__ alignas(128) float to[kTile];
  __shared__ std::uint64_t barrier;
  from[threadIdx.x] = static_cast<float>(blockIdx.x * 100 + threadIdx.x);
  to[threadIdx.x] = -1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   std::uint32_t{kTileBytes});
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0) {
    const int peer = static_cast<int>(cluster.block_rank() ^ 1);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(&to[0], peer),
                       from, std::uint32_t{kTileBytes}, cluster.map_shared_rank(&barrier, peer));
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  out[blockIdx.x * kTile + threadIdx.x] = to[threadIdx.x];
  cluster.sync();
}

// Each block copies its part of a box to all blocks: they share the loads.
__global__ void share_rows(const __grid_constant__ CUtensorMap map, float* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank();
  __shared__ alignas(128) float rows[4][kTile];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   blocks * std::uint32_t{kTileBytes});
  }
  cluster.sync();
  if (threadIdx.x == 0) {
    const std::int32_t at[] = {0, static_cast<std::int32_t>(rank)};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, rows[rank], &map, at, &barrier,
                              static_cast<std::uint16_t>((1u << blocks) - 1));
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  for (unsigned row = 0; row < blocks; ++row)
    out[(blockIdx.x * 4 + row) * kTile + threadIdx.x] = rows[row][threadIdx.x];
  cluster.sync();
}

// Arrivals and waits in the forms that the other kernels do not use; two blocks.
__global__ void other_forms(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ std::uint64_t barrier;
  __shared__ unsigned box;
  const int peer = static_cast<int>(cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 2u);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  if (threadIdx.x == 0) {
    *cluster.map_shared_rank(&box, peer) = 10 + cluster.block_rank();
    ptx::fence(ptx::sem_acq_rel, ptx::scope_cluster);
    ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&barrier, peer), 1u);
    const std::uint64_t state =
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier);
    while (!ptx::mbarrier_try_wait(ptx::sem_relaxed, ptx::scope_cluster, &barrier, state)) {
    }
    ptx::fence(ptx::sem_acq_rel, ptx::scope_cluster);
    out[blockIdx.x] = box;
    // Announcements of zero bytes, to try the forms.
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_cluster,
                            cluster.map_shared_rank(&barrier, peer), 0u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                   cluster.map_shared_rank(&barrier, peer), 0u);
    ptx::mbarrier_arrive(&barrier);
    while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 1u)) {
    }
    out[2 + blockIdx.x] = ptx::getctarank(ptx::space_cluster, cluster.map_shared_rank(&box, peer));
  }
  ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  ptx::barrier_cluster_wait();
}

// A ring: a block that has used a tile tells the sender, which then sends the next one.
__global__ void ring(unsigned* out, unsigned rounds) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ std::uint64_t full, empty;
  __shared__ unsigned box;
  const unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank();
  const int next = static_cast<int>((rank + 1) % blocks);
  const int before = static_cast<int>((rank + blocks - 1) % blocks);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::mbarrier_init(&empty, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0) {
    unsigned value = rank;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned parity = round % 2;
      *cluster.map_shared_rank(&box, next) = value;
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                           cluster.map_shared_rank(&full, next));
      while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, parity)) {
      }
      value = box + 1;
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                           cluster.map_shared_rank(&empty, before));
      while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &empty, parity)) {
      }
    }
    out[blockIdx.x] = value;
  }
  cluster.sync();
}

}  // namespace

TEST_CASE("threads arrive at an mbarrier of another block") {
  for (const unsigned size : {1, 2, 4}) {
    CAPTURE(size);
    DeviceArray<unsigned> out(32);
    REQUIRE(launch_together({{size, 1, 1}}, size, 32, arrive_at_first, out.data()) == cudaSuccess);
    require_finished();
    for (unsigned thread = 0; thread < 32; ++thread) CHECK(out[thread] == 77);
  }
}

TEST_CASE("a multicast copy arrives in the blocks of its mask, and nowhere else") {
  DeviceArray<float> in(kTile), out(4 * kTile);
  for (unsigned i = 0; i < kTile; ++i) in[i] = static_cast<float>(i) + 0.5f;
  for (const unsigned mask : {1u, 5u, 15u, 8u}) {
    CAPTURE(mask);
    REQUIRE(launch_together({{4, 1, 1}}, 4, kTile, spread, static_cast<const float*>(in.data()),
                            out.data(), static_cast<std::uint16_t>(mask)) == cudaSuccess);
    require_finished();
    for (unsigned block = 0; block < 4; ++block)
      for (unsigned i = 0; i < kTile; ++i)
        CHECK(out[block * kTile + i] == ((mask >> block & 1) != 0 ? in[i] : -1));
  }
}

TEST_CASE("a bulk copy from a block's shared memory to another's") {
  DeviceArray<float> out(4 * kTile);
  REQUIRE(launch_together({{2, 1, 1}}, 4, kTile, exchange, out.data()) == cudaSuccess);
  require_finished();
  for (unsigned block = 0; block < 4; ++block)
    for (unsigned i = 0; i < kTile; ++i)
      CHECK(out[block * kTile + i] == static_cast<float>((block ^ 1) * 100 + i));
}

TEST_CASE("the blocks of a cluster share what they copy from a tensor") {
  DeviceArray<float> in(4 * kTile);
  for (unsigned i = 0; i < 4 * kTile; ++i) in[i] = static_cast<float>(i) + 0.25f;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                           cudaEnableDefault, &found) == cudaSuccess);
  const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  const cuuint64_t sizes[] = {kTile, 4}, strides[] = {kTileBytes};
  const cuuint32_t box[] = {kTile, 1}, steps[] = {1, 1};
  CUtensorMap map;
  REQUIRE(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in.data(), sizes, strides, box, steps,
                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                 CU_TENSOR_MAP_L2_PROMOTION_NONE,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  for (const unsigned size : {1, 2, 4}) {
    CAPTURE(size);
    DeviceArray<float> out(4 * 4 * kTile);
    REQUIRE(launch_together({{size, 1, 1}}, size, kTile, share_rows, map, out.data()) ==
            cudaSuccess);
    require_finished();
    for (unsigned block = 0; block < size; ++block)
      for (unsigned i = 0; i < size * kTile; ++i) CHECK(out[block * 4 * kTile + i] == in[i]);
  }
}

TEST_CASE("other forms of arrivals and waits across a pair") {
  DeviceArray<unsigned> out(4);
  REQUIRE(launch_together({{2, 1, 1}}, 2, 32, other_forms, out.data()) == cudaSuccess);
  require_finished();
  CHECK(out[0] == 11);
  CHECK(out[1] == 10);
  CHECK(out[2] == 1);
  CHECK(out[3] == 0);
}

TEST_CASE("mbarriers of two blocks keep a ring in step") {
  for (const unsigned size : {2, 4, 8}) {
    CAPTURE(size);
    DeviceArray<unsigned> out(size);
    const unsigned rounds = 5;
    REQUIRE(launch_together({{size, 1, 1}}, size, 32, ring, out.data(), rounds) == cudaSuccess);
    require_finished();
    for (unsigned block = 0; block < size; ++block)
      CHECK(out[block] == (block + 5 * size - rounds) % size + rounds);
  }
}
