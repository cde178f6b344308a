// Schedules find results that depend on the order of threads, and no others.
#include <cooperative_groups.h>

#include <bit>
#include <numeric>

#include "checked.hpp"
#include "emulator/judging.h"

using namespace check_tests;

namespace {

std::vector<emu::Finding> run_in_orders(unsigned count, const std::function<void()>& launch,
                                        unsigned blocks_at_a_time = emu::kScheduledBlocks) {
  emu::take_findings();
  emu::set_schedules(count, blocks_at_a_time);
  launch();
  emu::set_schedules(0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  return emu::take_findings();
}

template <bool right>
__global__ void count(int* total) {
  if (right)
    atomicAdd(total, 1);
  else
    *total = *total + 1;  // two threads may read the same number
}

template <bool right>
__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  if (right) __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

template <bool right>
__global__ void leaders(int* out) {
  if (threadIdx.x % 2 != 0) return;
  const unsigned mask = right ? 0x55555555u : __activemask();
  out[threadIdx.x] = __popc(mask);
}

/// Stores the masks of __activemask() and of coalesced groups, for all lanes and for every third
/// one.
__global__ void who_is_there(unsigned* out) {
  out[threadIdx.x] = __activemask();
  out[32 + threadIdx.x] = cooperative_groups::coalesced_threads().num_threads();
  if (threadIdx.x % 3 == 0) out[64 + threadIdx.x] = __activemask();
}

__global__ void by_shuffle(const int* in, int* out) {
  const int mine = in[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(0xffffffff, mine, 5);
  out[32 + threadIdx.x] = __reduce_add_sync(0xffffffff, mine);
  out[64 + threadIdx.x] = mine;
}

__global__ void first_come(int* next, int* out) { out[atomicAdd(next, 1)] = blockIdx.x; }

/// The second warp sleeps until the first should have written, or waits until it has.
template <bool right>
__global__ void sleeps(int* out) {
  __shared__ volatile int value;
  if (threadIdx.x == 32) value = 0;
  __syncthreads();
  if (threadIdx.x == 0) value = 7;
  if (threadIdx.x != 32) return;
  for (int i = 0; right ? value == 0 : i < 200; ++i) __nanosleep(1000);
  *out = value;
}

/// One thread per block: whole blocks in any order lose no update.
template <bool right>
__global__ void count_blocks(int* total) {
  if (right)
    atomicAdd(total, 1);
  else
    *total = *total + 1;
}

__global__ void wait_for_next(volatile int* flags, int* out) {
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  __shared__ int mine;
  mine = static_cast<int>(blockIdx.x);
  flags[blockIdx.x] = 1;
  while (flags[next] == 0) {
  }
  out[blockIdx.x] = mine;  // shared memory belongs to the block, whichever blocks ran in between
}

__global__ void trusts_block_0(int* flag, int* out) {
  if (blockIdx.x == 0)
    *flag = 1;
  else if (*flag == 0)
    out = nullptr;
  out[blockIdx.x] = 1;
}

__global__ void sum_of_warp(const float* in, float* out) {
  float sum = in[blockIdx.x * 32 + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

}  // namespace

TEST_CASE("schedules: a lost update differs from order to order, an atomic one does not") {
  Device<int> total(1, 0);
  const auto wrong = run_in_orders(8, [&] { count<false><<<1, 64>>>(total); });
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].kind == "output_differs");
  CHECK(wrong[0].tool == "schedules");
  CHECK(wrong[0].kernel == "count<false>");
  CHECK(wrong[0].memory.find("byte 0 of 4 allocated") != std::string::npos);
  CHECK(wrong[0].hint.find("COURSE_PREEMPT=") == 0);
  cudaMemset(total, 0, 4);
  CHECK(run_in_orders(8, [&] { count<true><<<4, 64>>>(total); }).empty());
  int result = 0;
  cudaMemcpy(&result, total, 4, cudaMemcpyDeviceToHost);
  CHECK(result == 256);  // memory is as after a single run
}

TEST_CASE("schedules: a missing barrier shows, a barrier holds") {
  Device<int> in(64, 0), out(64);
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  CHECK(run_in_orders(8, [&] { reverse<false><<<1, 64>>>(in, out); }).size() == 1);
  CHECK(run_in_orders(8, [&] { reverse<true><<<1, 64>>>(in, out); }).empty());
}

TEST_CASE("schedules: who is active with whom is not to be relied on") {
  Device<int> out(32, 0);
  CHECK(run_in_orders(8, [&] { leaders<false><<<1, 32>>>(out); }).size() == 1);
  CHECK(run_in_orders(8, [&] { leaders<true><<<1, 32>>>(out); }).empty());
}

TEST_CASE("schedules: blocks run in another order") {
  Device<int> next(1, 0), out(16);
  const auto found = run_in_orders(4, [&] { first_come<<<16, 1>>>(next, out); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].memory.find("of 64 allocated") != std::string::npos);
}

TEST_CASE("schedules: blocks are switched in their midst") {
  Device<int> total(1, 0);
  CHECK(run_in_orders(8, [&] { count_blocks<false><<<8, 1>>>(total); }).size() == 1);
  CHECK(run_in_orders(8, [&] { count_blocks<true><<<8, 1>>>(total); }).empty());
}

TEST_CASE("schedules: a sleep is no order, a loop that waits is one") {
  Device<int> out(1, 0);
  CHECK(run_in_orders(16, [&] { sleeps<false><<<1, 64>>>(out); }).size() == 1);
  CHECK(run_in_orders(16, [&] { sleeps<true><<<1, 64>>>(out); }).empty());
}

TEST_CASE("schedules: one block at a time, its threads in any order") {
  Device<int> total(1, 0);
  CHECK(run_in_orders(
            8, [&] { count<false><<<2, 64>>>(total); }, 1)
            .size() == 1);
  emu::set_worker_count(1);  // two CPU threads could lose an update even in the usual order
  CHECK(run_in_orders(
            8, [&] { count_blocks<false><<<8, 1>>>(total); }, 1)
            .empty());
  emu::set_worker_count(2);
}

TEST_CASE("schedules: some blocks may wait for one another") {
  Device<int> flags(4, 0), out(4);
  emu::set_worker_count(4);  // for the run in the usual order
  CHECK(run_in_orders(8, [&] { wait_for_next<<<4, 1>>>(flags, out); }).empty());
  emu::set_worker_count(2);
  int results[4] = {};
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; ++i) CHECK(results[i] == i);
}

TEST_CASE("schedules: a kernel that fails in some order is reported, and the program goes on") {
  Device<int> flag(1, 0), out(16);
  emu::set_worker_count(1);  // in the usual order, block 0 comes first
  const auto found = run_in_orders(8, [&] { trusts_block_0<<<16, 1>>>(flag, out); });
  emu::set_worker_count(2);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "schedule_fails");
}

TEST_CASE("schedules: a seed repeats its order, between blocks too") {
  Device<int> next(1, 0), out(64);
  emu::set_worker_count(1);  // for the run that others are compared with
  const auto describe = [&] {
    cudaMemset(next, 0, 4);
    std::string all;
    for (const emu::Finding& f : run_in_orders(6, [&] { first_come<<<64, 1>>>(next, out); }))
      all += f.title + " " + f.memory + " " + std::to_string(f.count) + " " +
             std::to_string(f.bytes) + "\n";
    return all;
  };
  const std::string first = describe();
  CHECK(!first.empty());
  for (int i = 0; i < 5; ++i) CHECK(describe() == first);
  emu::set_worker_count(2);
}

TEST_CASE("schedules: collectives and barriers mean the same in every order") {
  Device<float> in(256, 0x3c), out(8);
  CHECK(run_in_orders(8, [&] { sum_of_warp<<<8, 32>>>(in, out); }).empty());
}

TEST_CASE("a seed's order is that of the next launches, which are not counted") {
  Device<int> in(64, 0), out(64);
  emu::set_counting(true);
  const auto barriers = [&](std::uint64_t seed) {
    const std::uint64_t before = emu::total_counters().barriers;
    emu::set_preempt_seed(seed);
    reverse<true><<<1, 64>>>(in, out);
    emu::set_preempt_seed(0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return emu::total_counters().barriers - before;
  };
  CHECK(barriers(0) == 2);
  CHECK(barriers(3) == 0);
  emu::set_counting(false);
}

TEST_CASE("where warps are parted, __activemask() and coalesced_threads() find half of the lanes") {
  Device<unsigned> out(96);
  const auto found = [&](bool parted) {
    emu::set_parted_warps(parted);
    who_is_there<<<1, 32>>>(out);
    emu::set_parted_warps(false);
    std::vector<unsigned> all(96);
    REQUIRE(cudaMemcpy(all.data(), out, 96 * sizeof(unsigned), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return all;
  };
  constexpr unsigned kThirds = 0x49249249;
  for (const bool parted : {false, true}) {
    CAPTURE(parted);
    const auto all = found(parted);
    for (unsigned lane = 0; lane < 32; ++lane) {
      CAPTURE(lane);
      CHECK(all[lane] == (!parted ? 0xffffffff : lane < 16 ? 0xffff : 0xffff0000));
      CHECK(all[32 + lane] == (parted ? 16 : 32));
      if (lane % 3 != 0) continue;
      // Eleven lanes, split into five and six.
      const unsigned mask = all[64 + lane];
      CHECK((mask >> lane & 1) == 1);
      CHECK((mask & ~kThirds) == 0);
      CHECK(std::popcount(mask) == (!parted ? 11 : mask & 1 ? 6 : 5));
    }
  }
}

TEST_CASE("where shuffles are turned, they and reductions bring another lane's value") {
  Device<int> in(32, 0x11), out(96);
  std::vector<int> own(32);
  std::iota(own.begin(), own.end(), 100);
  REQUIRE(cudaMemcpy(in, own.data(), 32 * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  const auto found = [&](unsigned turn) {
    emu::set_lane_turn(turn);
    by_shuffle<<<1, 32>>>(in, out);
    emu::set_lane_turn(0);
    std::vector<int> all(96);
    REQUIRE(cudaMemcpy(all.data(), out, 96 * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    return all;
  };
  const auto right = found(0), one = found(1), around = found(30);
  for (int i = 0; i < 32; ++i) {
    CHECK(one[i] == own[6]);
    CHECK(around[i] == own[3]);
    CHECK(one[32 + i] == own[(i + 1) % 32]);
    CHECK(around[32 + i] == own[(i + 30) % 32]);
    CHECK(right[32 + i] == std::accumulate(own.begin(), own.end(), 0));
    CHECK(right[64 + i] == own[i]);
    CHECK(one[64 + i] == own[i]);
    CHECK(around[64 + i] == own[i]);
  }
}
