// Tests the grid as a group: its properties in every launch, its barrier in cooperative ones.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "emulator/cluster_launch.hpp"
#include "emulator/device/device_array.hpp"

namespace {

namespace cg = cooperative_groups;

using Facts = std::array<unsigned long long, 15>;

// The properties that the last thread of the grid sees.
__global__ void facts(unsigned long long* out) {
  const cg::grid_group grid = cg::this_grid();
  if (blockIdx.x != gridDim.x - 1 || threadIdx.x != blockDim.x - 1) return;
  out[0] = grid.is_valid() ? 1 : 0;
  out[1] = grid.size();
  out[2] = grid.thread_rank();
  out[3] = grid.num_blocks();
  out[4] = grid.block_rank();
  out[5] = grid.dim_blocks().x;
  out[6] = grid.block_index().x;
  out[7] = grid.group_dim().x;
  out[8] = grid.num_threads();
  out[9] = grid.num_clusters();
  out[10] = grid.cluster_rank();
  out[11] = grid.dim_clusters().x;
  out[12] = grid.cluster_index().x;
  out[13] = grid.dim_threads().x;
  out[14] = grid.thread_index().x;
}

// Every block increments the counter, and sees all increments after the barrier.
__global__ void count_all(unsigned* counter, unsigned* out) {
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
  grid.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *static_cast<volatile unsigned*>(counter);
}

// Each thread adds its neighbour's number to its own, round after round.
__global__ void add_neighbours(unsigned* numbers, int rounds, bool in_halves) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned count = static_cast<unsigned>(grid.num_threads());
  const unsigned self = static_cast<unsigned>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    const unsigned* const from = numbers + (round % 2) * count;
    unsigned* const to = numbers + (1 - round % 2) * count;
    to[self] = from[self] + from[(self + blockDim.x) % count];
    if (in_halves) {
      auto token = grid.barrier_arrive();
      grid.barrier_wait(std::move(token));
    } else {
      grid.sync();
    }
  }
}

void check_counted(unsigned blocks, unsigned threads, const Together& together) {
  CAPTURE(blocks);
  CAPTURE(threads);
  DeviceArray<unsigned> counter(1), out(blocks);
  counter[0] = 0;
  REQUIRE(launch_together(together, blocks, threads, count_all, counter.data(), out.data()) ==
          cudaSuccess);
  require_finished();
  bool all = true;
  for (unsigned block = 0; block < blocks; ++block) all &= out[block] == blocks;
  CHECK(all);
}

}  // namespace

TEST_CASE("what a thread knows of its grid") {
  struct Case {
    unsigned blocks;
    Together together;
    Facts expected;
  };
  const Case cases[] = {
      {3, {}, {0, 192, 191, 3, 2, 3, 2, 3, 192, 3, 2, 3, 2, 192, 191}},
      {4, {{2, 1, 1}}, {0, 256, 255, 4, 3, 4, 3, 4, 256, 2, 1, 2, 1, 256, 255}},
      // Last, because an H200 then calls the grids of other launches valid, too.
      {3, {{0, 0, 0}, true}, {1, 192, 191, 3, 2, 3, 2, 3, 192, 3, 2, 3, 2, 192, 191}},
  };
  for (const Case& c : cases) {
    CAPTURE(&c - cases);
    DeviceArray<unsigned long long> out(c.expected.size());
    REQUIRE(launch_together(c.together, c.blocks, 64, facts, out.data()) == cudaSuccess);
    require_finished();
    for (std::size_t i = 0; i < c.expected.size(); ++i) {
      CAPTURE(i);
      CHECK(out[i] == c.expected[i]);
    }
  }
}

TEST_CASE("behind the barrier of a grid, all blocks have come") {
  const Together cooperative = {{0, 0, 0}, true};
  check_counted(1, 32, cooperative);
  check_counted(10, 64, cooperative);
  check_counted(264, 1024, cooperative);
  check_counted(4224, 32, cooperative);
}

TEST_CASE("a grid of clusters has a barrier, too") { check_counted(8, 64, {{2, 1, 1}, true}); }

TEST_CASE("a grid meets round after round") {
  constexpr unsigned kBlocks = 7, kThreads = 96, kCount = kBlocks * kThreads;
  constexpr int kRounds = 5;
  for (const bool in_halves : {false, true}) {
    CAPTURE(in_halves);
    DeviceArray<unsigned> numbers(2 * kCount);
    std::array<unsigned, kCount> expected{}, before{};
    for (unsigned i = 0; i < kCount; ++i) numbers[i] = expected[i] = i * i + 1;
    for (int round = 0; round < kRounds; ++round) {
      before = expected;
      for (unsigned i = 0; i < kCount; ++i)
        expected[i] = before[i] + before[(i + kThreads) % kCount];
    }
    REQUIRE(launch_together({{0, 0, 0}, true}, kBlocks, kThreads, add_neighbours, numbers.data(),
                            kRounds, in_halves) == cudaSuccess);
    require_finished();
    bool equal = true;
    for (unsigned i = 0; i < kCount; ++i) equal &= numbers[kCount + i] == expected[i];
    CHECK(equal);
  }
}
