// Program constants are not counted, like registers: the compiler decides which of them are in
// memory, and g++ 14 decides differently from g++ 12.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdint>
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

TEST_CASE("a load from constant memory is a request of its own kind") {
  const course::Counters counters = counted(from_constant_memory);
  CHECK(counters.warp_instructions == 2);
  CHECK(counters.global_load.requests == 0);
  CHECK(counters.constant_load.requests == 1);
}

namespace {

constexpr int kBytes = 2048;
__constant__ __align__(16) unsigned char constants[kBytes];

template <class T>
__device__ bool is_zero(T value) {
  return value == 0;
}
__device__ bool is_zero(float4 value) { return value.x + value.y + value.z + value.w == 0; }

/// Each lane loads a T from the offset that it is given, and stores its size.
template <class T>
__global__ void from_offsets(const int* offsets, int* sizes) {
  const T value = *reinterpret_cast<const T*>(constants + offsets[threadIdx.x]);
  sizes[threadIdx.x] = is_zero(value) ? static_cast<int>(sizeof(T)) : -1;
}

/// Returns the addresses that a request of a warp counts if lane l reads from offset(l).
template <class T, class Offset>
std::uint64_t addresses_of(Offset offset) {
  int *offsets = nullptr, *sizes = nullptr;
  REQUIRE(cudaMallocManaged(&offsets, 32 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&sizes, 32 * sizeof(int)) == cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) offsets[lane] = offset(lane);
  from_offsets<T><<<1, 32>>>(offsets, sizes);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) CHECK(sizes[lane] == sizeof(T));
  REQUIRE(cudaFree(offsets) == cudaSuccess);
  REQUIRE(cudaFree(sizes) == cudaSuccess);
  const course::ConstantCounters& counted = emu::last_launch()->counters.constant_load;
  CHECK(counted.requests == 1);
  return counted.addresses;
}

}  // namespace

TEST_CASE("constant memory counts each distinct address, as idc__requests does on an H200") {
  CHECK(addresses_of<float>([](int) { return 64; }) == 1);
  CHECK(addresses_of<float>([](int lane) { return lane % 4 * 4; }) == 4);
  CHECK(addresses_of<float>([](int lane) { return lane / 8 * 256; }) == 4);
  CHECK(addresses_of<float>([](int lane) { return lane * 4; }) == 32);
  CHECK(addresses_of<float>([](int lane) { return (31 - lane) * 64; }) == 32);
  CHECK(addresses_of<double>([](int lane) { return lane % 4 * 8; }) == 4);
  CHECK(addresses_of<float4>([](int lane) { return lane * 16; }) == 32);
  // Bytes of one word are several addresses.
  CHECK(addresses_of<unsigned char>([](int lane) { return lane % 4; }) == 4);
  CHECK(addresses_of<unsigned short>([](int lane) { return lane * 2; }) == 32);
}
