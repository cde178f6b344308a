// nvcc's own atomics, as the engine sees them: they count like the others, and their orders tell
// the hazard checker what comes before what.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <string>

#include "device_array.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

namespace cg = cooperative_groups;

using Kernel = void (*)(int* data, int* out);

// Twins: the accesses and atomics of one are those of the other.
__global__ void known(int* data, int* out) {
  __shared__ int own;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd(&own, 1);
  atomicMax(data + threadIdx.x % 3, 5);
  atomicExch(data + 4 + threadIdx.x, 5);
  out[threadIdx.x] = atomicCAS(data + 100 + threadIdx.x, 1, 2);
  out[64 + threadIdx.x] = *static_cast<volatile int*>(data + 2 * threadIdx.x);
}
__global__ void built_in(int* data, int* out) {
  __shared__ int own;
  if (threadIdx.x == 0) __nv_atomic_store_n(&own, 0, __NV_ATOMIC_RELAXED);
  __syncthreads();
  __nv_atomic_add(&own, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_max(data + threadIdx.x % 3, 5, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_exchange_n(data + 4 + threadIdx.x, 5, __NV_ATOMIC_RELAXED);
  int expected = 1;
  __nv_atomic_compare_exchange_n(data + 100 + threadIdx.x, &expected, 2, false, __NV_ATOMIC_RELAXED,
                                 __NV_ATOMIC_RELAXED);
  out[threadIdx.x] = expected;
  out[64 + threadIdx.x] = __nv_atomic_load_n(data + 2 * threadIdx.x, __NV_ATOMIC_ACQUIRE);
}

emu::Counters counted(Kernel kernel) {
  DeviceArray<int> data(256), out(128);
  const emu::Checks checks = emu::checking();
  emu::set_checking({});  // which would tell accesses apart that a fence stands between
  emu::set_counting(true);
  kernel<<<1, 64>>>(data.data(), out.data());
  require_finished();
  emu::set_counting(false);
  emu::set_checking(checks);
  return emu::last_launch()->counters;
}

// How a flag is raised and looked at. Orders and scopes must be literals.
struct ReleaseAndAcquire {
  static __device__ void raise(int* flag) {
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  }
  static __device__ int look(int* flag) {
    return __nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  }
};
struct Sequential {
  static __device__ void raise(int* flag) {
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
  }
  static __device__ int look(int* flag) {
    return __nv_atomic_load_n(flag, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
  }
};
struct OnlyAcquire : ReleaseAndAcquire {
  static __device__ void raise(int* flag) {
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  }
};
struct OnlyRelease : ReleaseAndAcquire {
  static __device__ int look(int* flag) {
    return __nv_atomic_load_n(flag, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  }
};
struct OfOneThread : ReleaseAndAcquire {
  static __device__ int look(int* flag) {
    return __nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_THREAD);
  }
};

/// A lane of the last warp writes data and raises a flag; one of the first warp waits for it and
/// reads them.
template <class Flag>
__global__ void hand_over(int* data, int* out) {
  if (threadIdx.x == 32) {
    data[1] = 7;
    Flag::raise(data);
  } else if (threadIdx.x == 0) {
    while (Flag::look(data) == 0) {
    }
    out[0] = data[1];
  }
}

struct AcquireAndRelease {
  static __device__ int take(int* counter) {
    return __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  }
};
struct SequentialTicket {
  static __device__ int take(int* counter) {
    return __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_SEQ_CST);
  }
};
struct RelaxedTicket {
  static __device__ int take(int* counter) {
    return __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  }
};
struct TicketOfBlock {
  static __device__ int take(int* counter) {
    return __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  }
};

/// Each of two blocks writes; the one that comes last reads both.
template <class Ticket>
__global__ void take_tickets(int* data, int* out) {
  if (threadIdx.x != 0) return;
  data[1 + blockIdx.x] = 7;
  if (Ticket::take(data) == 1) out[0] = data[1] + data[2];
}
/// Two lanes of a warp: one stores a word, the other loads it.
__global__ void in_one_warp(int* data, int* out) {
  if (threadIdx.x == 1) __nv_atomic_store_n(data, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  if (threadIdx.x == 0)
    out[0] = __nv_atomic_load_n(data, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
__global__ void half_atomic(int* data, int* out) {
  if (threadIdx.x == 32) data[0] = 1;
  if (threadIdx.x == 0)
    out[0] = __nv_atomic_load_n(data, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
}
/// Warps of a tile use each other's memory, with a barrier of the tile between or without.
template <bool waits>
__global__ void in_tile(int* data, int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (waits) tile.sync();
  out[threadIdx.x] = data[threadIdx.x ^ 63];
}
/// A barrier of two tiles does not order one before the other.
__global__ void across_tiles(int* data, int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  tile.sync();
  out[threadIdx.x] = data[threadIdx.x ^ 127];
}
/// A reduction waits for the whole tile.
__global__ void by_reduction(int* data, int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  data[threadIdx.x] = 1;
  const int sum = cg::reduce(tile, 1, cg::plus<int>());
  out[threadIdx.x] = data[threadIdx.x ^ 63] + sum;
}
/// Half of a tile does not come.
__global__ void half_of_tile(int* data, int*) {
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  if (threadIdx.x < 64) tile.sync();
  data[threadIdx.x] = 0;
}

struct Found {
  std::string kinds;  // of the findings, one behind the other
  cudaError_t error = cudaSuccess;
};

Found found_in(Kernel kernel, unsigned blocks, unsigned threads) {
  DeviceArray<int> data(256), out(256);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 0;
  emu::set_checking(emu::kAllChecks);
  emu::take_findings();
  kernel<<<blocks, threads>>>(data.data(), out.data());
  Found found;
  found.error = cudaDeviceSynchronize();
  emu::set_checking({});
  for (const emu::Finding& finding : emu::take_findings()) found.kinds += finding.kind + " ";
  return found;
}

std::string kinds_in(Kernel kernel, unsigned blocks, unsigned threads) {
  return found_in(kernel, blocks, threads).kinds;
}

}  // namespace

TEST_CASE("nvcc's own atomics count like the atomics that everybody knows") {
  const emu::Counters plain = counted(known), counters = counted(built_in);
  CHECK(counters.global_atomic.requests == 2 * 3);
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.shared_store.requests == 1);
  CHECK((counters == plain));
}

TEST_CASE("release and acquire order what they stand between") {
  CHECK(kinds_in(hand_over<ReleaseAndAcquire>, 1, 64).empty());
  CHECK(kinds_in(hand_over<Sequential>, 1, 64).empty());
  CHECK(kinds_in(take_tickets<AcquireAndRelease>, 2, 32).empty());
  CHECK(kinds_in(take_tickets<SequentialTicket>, 2, 32).empty());
}

TEST_CASE("relaxed orders and narrow scopes order nothing") {
  CHECK(kinds_in(hand_over<OnlyAcquire>, 1, 64) == "race_raw ");
  CHECK(kinds_in(hand_over<OnlyRelease>, 1, 64) == "race_raw ");
  CHECK(kinds_in(hand_over<OfOneThread>, 1, 64) == "race_raw ");
  CHECK(kinds_in(take_tickets<RelaxedTicket>, 2, 32) == "race_raw ");
  CHECK(kinds_in(take_tickets<TicketOfBlock>, 2, 32) == "race_raw ");
}

TEST_CASE("atomic loads and stores do not race with each other, not even in a warp") {
  CHECK(kinds_in(in_one_warp, 1, 32).empty());
  CHECK(!kinds_in(half_atomic, 1, 64).empty());
}

TEST_CASE("a barrier of a tile of several warps orders what its threads do") {
  CHECK(kinds_in(in_tile<true>, 1, 128).empty());
  CHECK(kinds_in(by_reduction, 1, 128).empty());
  CHECK(!kinds_in(in_tile<false>, 1, 128).empty());
  CHECK(!kinds_in(across_tiles, 1, 128).empty());
}

TEST_CASE("a tile of which a part never comes ends the kernel") {
  const Found found = found_in(half_of_tile, 1, 128);
  CHECK(found.error == cudaErrorLaunchTimeout);
  CHECK(!found.kinds.empty());
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
}
