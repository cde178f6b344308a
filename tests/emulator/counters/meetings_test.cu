// Where lanes meet: arrivals at barriers and warp functions, which no access to memory tells of.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "course/counters.hpp"
#include "emulator/counters.h"

namespace {

constexpr unsigned kWholeWarp = 0xffffffff;

__global__ void meets_twice() {
  __syncthreads();
  if (threadIdx.x < 32) return;  // who has left does not arrive
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
  CHECK(last().barriers == 0);
  parts<<<1, 32>>>(reinterpret_cast<unsigned*>(memory));
  CHECK(last().warp_shuffles == 2 + 2);
  CHECK(cudaFree(memory) == cudaSuccess);
}
