// Program constants are not counted, like registers: the compiler decides which of them are in
// memory, and g++ 14 decides differently from g++ 12.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <initializer_list>

#include "course/counters.hpp"
#include "emulator/counters.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

__constant__ float factors[4] = {1, 2, 3, 4};

__device__ const float* chosen(const float* table, int from) { return table + from; }

__global__ void sum_of_a_list(float* out) {
  float sum = 0;
  for (const float value : {0.25f, 1.25f, 2.25f, 3.25f}) sum += value * threadIdx.x;
  out[threadIdx.x] = sum;
}

__global__ void from_a_table(float* out) {
  static constexpr float kTable[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  out[threadIdx.x] = *chosen(kTable, threadIdx.x % 4);
}

__global__ void from_constant_memory(float* out) { out[threadIdx.x] = factors[threadIdx.x % 4]; }

course::Counters counted(void (*kernel)(float*)) {
  float* out = nullptr;
  REQUIRE(cudaMalloc(&out, 32 * sizeof(float)) == cudaSuccess);
  kernel<<<1, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaFree(out) == cudaSuccess);
  return emu::last_launch()->counters;
}

}  // namespace

TEST_CASE("constant tables are no accesses, wherever the compiler keeps them") {
  for (const auto kernel : {sum_of_a_list, from_a_table}) {
    const course::Counters counters = counted(kernel);
    CHECK(counters.warp_instructions == 1);  // the store
    CHECK(counters.global_store.requests == 1);
    CHECK(counters.global_load.requests == 0);
  }
}

TEST_CASE("a load from constant memory is a memory instruction, and no request") {
  const course::Counters counters = counted(from_constant_memory);
  CHECK(counters.warp_instructions == 2);
  CHECK(counters.global_load.requests == 0);
}
