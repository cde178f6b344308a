// Counters that do not belong to a single access: barriers, the costs of mbarriers and bulk copies,
// and the division of work among warps.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>
#include <utility>

#include "course/counters.hpp"
#include "emulator/counters.h"
#include "emulator/judging.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

namespace ptx = cuda::ptx;

constexpr unsigned kWholeWarp = 0xffffffff;

__global__ void meets_twice() {
  __syncthreads();
  if (threadIdx.x < 32) return;  // returned threads do not arrive
  __syncthreads_count(1);
}

__global__ void adds_up(int* sum) {
  int value = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(kWholeWarp, value, offset);
  __syncwarp();
  if (threadIdx.x == 0) *sum = value;
}

__global__ void parts(unsigned* votes) {
  const bool is_low = threadIdx.x < 16;
  const unsigned mask = is_low ? 0x0000ffff : 0xffff0000;
  if (is_low) {
    votes[0] = __ballot_sync(mask, threadIdx.x % 2);
  } else {
    votes[1] = __match_any_sync(mask, 7);
  }
  votes[2] = __reduce_add_sync(mask, 1u);
}

__global__ void copies_in_bulk(const float* in, unsigned first, unsigned bytes) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + first, bytes, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   bytes);
  } else {
    ptx::mbarrier_arrive(&barrier);
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
  }
}

/// Warp `working` of each block writes `turns` elements per lane.
__global__ void one_warp_works(float* out, int working, int turns) {
  __shared__ float values[1024];
  values[threadIdx.x] = 1.0f;
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (warp == working)
    for (int i = 0; i < turns; ++i) out[32 * i + static_cast<int>(threadIdx.x % 32)] = 1.0f;
  if (turns < 0) out[0] = values[0];
}

/// The first warp of each block does all the work.
__global__ void one_warp_loads(const float* in, float* out) {
  if (threadIdx.x < 32) out[threadIdx.x] = in[threadIdx.x];
}

/// In every warp, a single lane writes for its neighbours.
__global__ void one_lane_works(float* out) {
  if (threadIdx.x % 32 == 7)
    for (int i = 0; i < 32; ++i) out[32 * (threadIdx.x / 32) + i] = 1.0f;
}

/// Each of 4 warps has 3 pairs: it loads and stores them one by one, or loads all first.
__global__ void pairs(const float* in, float* out, bool loads_first) {
  float values[3];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 3; ++i) {
    values[i] = in[128 * i + thread] + in[128 * (i + 3) + thread];
    if (!loads_first) out[128 * i + thread] = values[i];
  }
  for (int i = 0; loads_first && i < 3; ++i) out[128 * i + thread] = values[i];
}

/// A warp's loads count only for its own stores; an atomic operation is a store.
__global__ void one_loads_and_all_store(const int* in, int* out) {
  int sum = 0;
  if (threadIdx.x < 32)
    for (int i = 0; i < 5; ++i) sum += in[32 * i + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sum;
  atomicAdd(&out[threadIdx.x], 1);
}

/// The lanes of warp 0 load 16 different bytes each, those of warp 1 all the same 16 bytes.
__global__ void loads_wide(const uint4* in, uint4* out) {
  for (int turn = 0; turn < 3; ++turn) {
    const uint4 four = in[threadIdx.x < 32 ? threadIdx.x : turn];
    out[64 * turn + threadIdx.x] = make_uint4(four.y, four.z, four.w, four.x);
  }
}

__global__ void meets_in_its_cluster() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void loads_at(const float* in, const int* places, float* out) {
  out[threadIdx.x] = in[places[threadIdx.x]];
}

course::Counters last() {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return emu::last_launch()->counters;
}

}  // namespace

TEST_CASE("a barrier counts once for each warp that arrives, whole or not") {
  meets_twice<<<3, 70>>>();
  CHECK(last().barriers == 3 * (3 + 2));
  meets_twice<<<1, 32>>>();
  CHECK(last().barriers == 1);
  CHECK(last().warp_shuffles == 0);
}

TEST_CASE("a warp function counts once a warp, and once for each part of a warp that has parted") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4 * sizeof *memory) == cudaSuccess);
  adds_up<<<2, 64>>>(memory);
  CHECK(last().warp_shuffles == 4 * 5);
  CHECK(last().warp_reductions == 0);
  CHECK(last().barriers == 0);
  parts<<<1, 32>>>(reinterpret_cast<unsigned*>(memory));
  CHECK(last().warp_shuffles == 2 + 2);
  CHECK(last().warp_reductions == 2);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE(
    "an mbarrier's changes count once a thread, and bulk copies cost the sectors they touch") {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 256 * sizeof *memory) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, 256 * sizeof *memory) == cudaSuccess);
  const auto sectors = [&](unsigned first, unsigned bytes) {
    copies_in_bulk<<<2, 40>>>(memory, first, bytes);
    const course::Counters counters = last();
    CHECK(counters.mbarrier_operations >= 2 * (1 + 40));
    // Announcing bytes may count as one more.
    CHECK(counters.mbarrier_operations <= 2 * (1 + 40 + 1));
    CHECK(counters.bulk.copies == 2);
    CHECK(counters.bulk.bytes == 2 * bytes);
    CHECK(counters.bulk.sectors % 2 == 0);
    return counters.bulk.sectors / 2;
  };
  CHECK(sectors(0, 32) == 1);
  CHECK(sectors(0, 16) == 1);
  CHECK(sectors(4, 16) == 1);
  CHECK(sectors(4, 32) == 2);
  CHECK(sectors(4, 48) == 2);
  CHECK(sectors(32, 256) == 8);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("the busiest warp: the most requests of any, of all blocks of a launch") {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 32 * 100 * sizeof *memory) == cudaSuccess);
  for (const int working : {0, 2, 5, 11}) {
    one_warp_works<<<4, 96>>>(memory, working, 100);
    CHECK(last().busiest_warp == course::BusiestWarp{.global = 100, .shared = 1});
  }
  one_warp_works<<<4, 96>>>(memory, 12, 100);
  CHECK(last().busiest_warp == course::BusiestWarp{.global = 0, .shared = 1});
  one_lane_works<<<1, 96>>>(memory);
  CHECK(last().busiest_warp == course::BusiestWarp{.global = 32, .shared = 0});
  const auto before = emu::total_counters().busiest_warp.global;
  one_lane_works<<<1, 96>>>(memory);
  one_warp_works<<<4, 96>>>(memory, 3, 5);
  CHECK(emu::total_counters().busiest_warp.global == before + 32 + 5);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("working warps: those that made any request, of all blocks") {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 32 * 100 * sizeof *memory) == cudaSuccess);
  const auto working = [] {
    last();
    const emu::WorkingWarps warps = emu::take_working_warps();
    return std::pair(warps.global, warps.shared);
  };
  using Warps = std::pair<std::uint64_t, std::uint64_t>;
  working();
  one_lane_works<<<1, 96>>>(memory);
  CHECK(working() == Warps(3, 0));
  one_warp_works<<<4, 96>>>(memory, 7, 20);
  CHECK(working() == Warps(1, 4 * 3));
  one_warp_loads<<<4, 96>>>(memory, memory + 1600);
  one_lane_works<<<1, 96>>>(memory);
  CHECK(working() == Warps(4 + 3, 0));
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a barrier of the cluster counts once for each warp that arrives") {
  meets_in_its_cluster<<<3, 70>>>();
  CHECK(last().barriers == 3 * 3);
}

TEST_CASE("for each byte of its stores, the bytes that a warp has loaded") {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 9 * 128 * sizeof *memory) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, 9 * 128 * sizeof *memory) == cudaSuccess);
  const auto before_stores = [] {
    last();
    return emu::take_loads_before_stores();
  };
  before_stores();
  pairs<<<1, 128>>>(memory, memory + 6 * 128, false);
  constexpr std::uint64_t kOfWarp = 128;  // bytes
  CHECK(before_stores() == 4 * (2 + 4 + 6) * kOfWarp * kOfWarp);
  pairs<<<1, 128>>>(memory, memory + 6 * 128, true);
  CHECK(before_stores() == 4 * (6 + 6 + 6) * kOfWarp * kOfWarp);
  int* const numbers = reinterpret_cast<int*>(memory);
  one_loads_and_all_store<<<2, 64>>>(numbers, numbers + 512);
  CHECK(before_stores() == 2 * (5 + 5) * kOfWarp * kOfWarp);
  one_loads_and_all_store<<<1, 7>>>(numbers, numbers + 512);
  CHECK(before_stores() == (5 + 5) * 28 * 28);
  // Bytes requested by several lanes at once are loaded once.
  uint4* const wide = reinterpret_cast<uint4*>(memory);
  loads_wide<<<1, 64>>>(wide, wide + 64);
  constexpr std::uint64_t kStored = 32 * 16;
  CHECK(before_stores() == (1 + 2 + 3) * (kStored * kStored + 16 * kStored));
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a load is uneven unless its lanes are at one distance from each other") {
  float* memory = nullptr;
  int* places = nullptr;
  REQUIRE(cudaMalloc(&memory, 256 * sizeof *memory) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, 256 * sizeof *memory) == cudaSuccess);
  REQUIRE(cudaMalloc(&places, 32 * sizeof *places) == cudaSuccess);
  const auto uneven = [&](auto place_of, unsigned lanes) {
    int at[32];
    for (int lane = 0; lane < 32; ++lane) at[lane] = place_of(lane);
    REQUIRE(cudaMemcpy(places, at, sizeof at, cudaMemcpyHostToDevice) == cudaSuccess);
    loads_at<<<1, lanes>>>(memory, places, memory + 200);
    return last().uneven_global_loads;
  };
  CHECK(uneven([](int) { return 7; }, 32) == 0);
  CHECK(uneven([](int lane) { return 100 + lane; }, 32) == 0);
  CHECK(uneven([](int lane) { return 3 * (31 - lane); }, 32) == 0);
  CHECK(uneven([](int lane) { return lane == 31 ? 0 : 2 * lane; }, 31) == 0);
  CHECK(uneven([](int lane) { return lane == 31 ? 0 : 2 * lane; }, 32) == 1);
  CHECK(uneven([](int lane) { return 2 * lane + (lane >= 16); }, 32) == 1);
  CHECK(uneven([](int lane) { return lane ^ 1; }, 32) == 1);
  CHECK(uneven([](int lane) { return lane ^ 1; }, 2) == 0);
  CHECK(cudaFree(places) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}
