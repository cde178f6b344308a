// Tests blocks that wait for others through global memory, as on a device with room for all of
// them.
#include <doctest/doctest.h>

#include <vector>

#include "emulator/counters.h"

namespace {

__global__ void wait_for_later(volatile int* flags, int* out) {
  const int block = blockIdx.x, last = gridDim.x - 1;
  if (threadIdx.x == 0) {
    if (block != last)
      while (flags[block + 1] == 0) {
      }
    out[block] = block == last ? 1 : out[block + 1] + 1;
    __threadfence();
    flags[block] = 1;
  }
}

__global__ void wait_with_atomics(int* flags, int* out) {
  const int block = blockIdx.x, last = gridDim.x - 1;
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    if (block != last)
      while (atomicAdd(&flags[block + 1], 0) == 0) {
      }
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[block] = sum;
    __threadfence();
    atomicExch(&flags[block], 1);
  }
}

// A single-pass scan: each block adds up its part and asks earlier blocks (decoupled look-back).
__global__ void scan_of_blocks(const int* in, volatile int* states, volatile int* sums, int* ticket,
                               int* out) {
  __shared__ int part, before;
  if (threadIdx.x == 0) part = atomicAdd(ticket, 1);
  __syncthreads();
  const int i = part * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(0xffffffff, sum, offset);
    if (static_cast<int>(threadIdx.x) >= offset) sum += other;
  }
  if (threadIdx.x == 31) {
    sums[part] = sum;
    __threadfence();
    states[part] = 1;
  }
  if (threadIdx.x == 0) {
    before = 0;
    for (int one = part - 1; one >= 0; --one) {
      while (states[one] == 0) {
      }
      before += sums[one];
    }
  }
  __syncthreads();
  out[i] = before + sum;
}

std::vector<int> results_of(const int* device, int count) {
  std::vector<int> results(count);
  REQUIRE(cudaMemcpy(results.data(), device, count * sizeof(int), cudaMemcpyDefault) ==
          cudaSuccess);
  return results;
}

int* zeros(int count) {
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, count * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(device, 0, count * sizeof(int)) == cudaSuccess);
  return device;
}

void try_all(int blocks) {
  int *flags = zeros(blocks), *out = zeros(blocks);
  wait_for_later<<<blocks, 32>>>(flags, out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto chain = results_of(out, blocks);
  for (int block = 0; block < blocks; ++block) REQUIRE(chain[block] == blocks - block);

  REQUIRE(cudaMemset(flags, 0, blocks * sizeof(int)) == cudaSuccess);
  wait_with_atomics<<<blocks, 64>>>(flags, out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (const int sum : results_of(out, blocks)) REQUIRE(sum == 64);

  std::vector<int> ones(32 * blocks, 1);
  int *in = zeros(32 * blocks), *states = zeros(blocks), *sums = zeros(blocks), *ticket = zeros(1),
      *scanned = zeros(32 * blocks);
  cudaMemcpy(in, ones.data(), ones.size() * sizeof(int), cudaMemcpyDefault);
  scan_of_blocks<<<blocks, 32>>>(in, states, sums, ticket, scanned);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto scan = results_of(scanned, 32 * blocks);
  for (int i = 0; i < 32 * blocks; ++i) REQUIRE(scan[i] == i + 1);
  for (int* device : {flags, out, in, states, sums, ticket, scanned}) cudaFree(device);
}

TEST_CASE("a block that waits for a later one goes on, counted or not") {
  for (const bool counting : {true, false}) {
    CAPTURE(counting);
    emu::set_counting(counting);
    try_all(5);
    try_all(40);
  }
  emu::set_counting(true);
}

}  // namespace
