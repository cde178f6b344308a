// Accesses to the shared memory of other blocks of a cluster have their own requests and sectors.
//
// Unless noted otherwise, an H200 counted the same values of l1tex__t_requests_pipe_lsu_mem_dshared
// and l1tex__t_sectors_pipe_lsu_mem_dshared, and zero for its shared and global counters.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <type_traits>

#include "emulator/cluster_launch.hpp"
#include "emulator/counters.h"
#include "emulator/device/device_array.hpp"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

namespace cg = cooperative_groups;
using course::DistributedCounters;

enum class Access { load, store, atomic };

constexpr unsigned kElements = 64;  // elements of a block's array

/// The first block's lanes access elements 0, stride, 2 stride, ... of the block with this rank.
template <class T>
__global__ void reaches(Access access, int rank, unsigned stride, unsigned rounds) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ alignas(16) T values[kElements];
  cluster.sync();
  if (cluster.block_rank() == 0) {
    T* const place = cluster.map_shared_rank(values, rank) + threadIdx.x * stride;
    T value{};
    for (unsigned round = 0; round < rounds; ++round) {
      if (access == Access::load) {
        value = *place;
      } else if (access == Access::store) {
        *place = T{};
      } else if constexpr (std::is_same_v<T, unsigned>) {
        atomicAdd(place, 1u);
      }
    }
    if (rounds == ~0u) *place = value;  // never true, but keeps the loads from being removed
  }
  cluster.sync();
}

/// Every warp of every block reads what each other block of its cluster has for it.
__global__ void everybody(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned values[kElements];
  values[threadIdx.x] = blockIdx.x;
  cluster.sync();
  unsigned sum = 0;
  for (unsigned i = 1; i < cluster.num_blocks(); ++i)
    sum += cluster.map_shared_rank(
        values, static_cast<int>((cluster.block_rank() + i) % cluster.num_blocks()))[threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  cluster.sync();
}

/// Even lanes access the first block's own memory, odd lanes the second block's.
__global__ void half_stays(unsigned rounds) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned values[kElements];
  cluster.sync();
  if (cluster.block_rank() == 0)
    for (unsigned round = 0; round < rounds; ++round)
      cluster.map_shared_rank(values, static_cast<int>(threadIdx.x % 2))[threadIdx.x] = round;
  cluster.sync();
}

course::Counters last() {
  require_finished();
  return emu::last_launch()->counters;
}

/// Returns the counters of a warp's requests to the block with this rank, in a cluster of two.
template <class T = unsigned>
course::Counters counted(Access access, int rank, unsigned stride, unsigned rounds = 1) {
  REQUIRE(launch_together({{2, 1, 1}}, 2, 32, reaches<T>, access, rank, stride, rounds) ==
          cudaSuccess);
  return last();
}

/// Returns `counters` reduced to distributed shared memory and barriers of the cluster.
course::Counters nothing_else(const course::Counters& counters) {
  course::Counters only;
  only.dshared_load = counters.dshared_load;
  only.dshared_store = counters.dshared_store;
  only.dshared_atomic = counters.dshared_atomic;
  only.warp_instructions = counters.warp_instructions;
  only.lane_instructions = counters.lane_instructions;
  only.barriers = counters.barriers;
  return only;
}

}  // namespace

TEST_CASE("loads and stores in another block: a request a warp, and the sectors that it touches") {
  for (const Access access : {Access::load, Access::store}) {
    const auto of_kind = [&](const course::Counters& counters) {
      CHECK(counters == nothing_else(counters));
      CHECK(counters.warp_instructions == 1);
      CHECK(counters.lane_instructions == 32);
      const bool is_load = access == Access::load;
      CHECK((is_load ? counters.dshared_store : counters.dshared_load) == DistributedCounters());
      CHECK(counters.dshared_atomic == DistributedCounters());
      return is_load ? counters.dshared_load : counters.dshared_store;
    };
    CAPTURE(access == Access::load);
    CHECK(of_kind(counted(access, 1, 1)) == DistributedCounters{1, 4, 4});
    CHECK(of_kind(counted(access, 1, 2)) == DistributedCounters{1, 8, 4});
    CHECK(of_kind(counted(access, 1, 0)) == DistributedCounters{1, 1, 1});
    CHECK(of_kind(counted<float4>(access, 1, 1)) == DistributedCounters{1, 16, 16});
  }
}

TEST_CASE("atomics in another block are requests of their own, and no loads or stores") {
  const course::Counters neighbours = counted(Access::atomic, 1, 1);
  CHECK(neighbours == nothing_else(neighbours));
  CHECK(neighbours.dshared_atomic == DistributedCounters{1, 4, 4});
  CHECK(neighbours.dshared_load == DistributedCounters());
  CHECK(neighbours.dshared_store == DistributedCounters());
  // Like atomics on one word of global memory. (An H200 counts one sector, because nvcc lets one
  // lane add for all.)
  CHECK(counted(Access::atomic, 1, 0).dshared_atomic == DistributedCounters{1, 32, 1});
}

TEST_CASE("a block's own memory is shared memory, by whatever address") {
  for (const Access access : {Access::load, Access::store, Access::atomic}) {
    const course::Counters own = counted(access, 0, 1);
    const auto of_kind = [&](Access kind) {
      return course::SharedCounters{access == kind, access == kind, access == kind};
    };
    CHECK(own.shared_load == of_kind(Access::load));
    CHECK(own.shared_store == of_kind(Access::store));
    CHECK(own.shared_atomic == of_kind(Access::atomic));
    CHECK(own.dshared_load == DistributedCounters());
    CHECK(own.dshared_store == DistributedCounters());
    CHECK(own.dshared_atomic == DistributedCounters());
  }
}

TEST_CASE("what comes again and again, and from all blocks, adds up, however many run at a time") {
  CHECK(counted(Access::load, 1, 2, 100).dshared_load == DistributedCounters{100, 800, 400});
  CHECK(counted(Access::store, 1, 1, 100).dshared_store == DistributedCounters{100, 400, 400});
  CHECK(counted(Access::atomic, 1, 1, 100).dshared_atomic == DistributedCounters{100, 400, 400});
  DeviceArray<unsigned> out(std::size_t{8} * kElements);
  for (const unsigned workers : {1u, 2u, 7u})
    for (const std::uint64_t seed : {0u, 5u}) {
      CAPTURE(workers);
      CAPTURE(seed);
      emu::set_worker_count(workers);
      emu::set_schedule_seed(seed);
      REQUIRE(launch_together({{4, 1, 1}}, 8, kElements, everybody, out.data()) == cudaSuccess);
      const course::Counters counters = last();
      constexpr unsigned kRequests = 8 * 2 * 3;  // blocks, warps, other blocks
      CHECK(counters.dshared_load == DistributedCounters{kRequests, 4 * kRequests, 4 * kRequests});
      CHECK(counters.shared_load.requests == 0);
      CHECK(counters.shared_store.requests == 8 * 2);
      CHECK(counters.global_store.requests == 8 * 2);
      CHECK(counters.global_load.requests == 0);
      CHECK(counters.busiest_warp == course::BusiestWarp{.global = 1, .shared = 1});
      CHECK(out[0] == 1 + 2 + 3);
      CHECK(out[7 * kElements] == 4 + 5 + 6);
    }
  emu::set_schedule_seed(0);
}

// An H200 counted the request and the sectors of the lanes that access the other block. That the
// others make a request to shared memory is our interpretation.
TEST_CASE("an instruction that goes to both is a request to each, with the lanes that go there") {
  for (const unsigned rounds : {1u, 50u}) {
    REQUIRE(launch_together({{2, 1, 1}}, 2, 32, half_stays, rounds) == cudaSuccess);
    const course::Counters counters = last();
    CHECK(counters.shared_store == course::SharedCounters{rounds, rounds, rounds});
    CHECK(counters.dshared_store == DistributedCounters{rounds, 4 * rounds, 2 * rounds});
    CHECK(counters.warp_instructions == 2 * rounds);
    CHECK(counters.lane_instructions == 32 * rounds);
  }
}
