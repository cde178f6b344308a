// Tests that memory touched by memcpy, memmove and memset in kernels is counted and checked.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "emulator/check.h"
#include "emulator/counters.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

constexpr int kThreads = 32;

__global__ void copy(char* to, const char* from, std::size_t bytes) {
  memcpy(to + threadIdx.x * bytes, from + threadIdx.x * bytes, bytes);
}

__global__ void copy_one_float(float* to, const float* from) {
  memcpy(&to[threadIdx.x], &from[threadIdx.x], sizeof(float));
}

__global__ void shift(char* values, std::size_t bytes) {
  if (threadIdx.x == 0) std::memmove(values + 1, values, bytes);
}

__global__ void fill(char* values, std::size_t bytes) {
  ::memset(values + threadIdx.x * bytes, 7, bytes);
}

struct Memory {
  explicit Memory(std::size_t bytes) : host(bytes) {
    std::iota(host.begin(), host.end(), char{0});
    REQUIRE(cudaMalloc(&data, bytes) == cudaSuccess);
    REQUIRE(cudaMemcpy(data, host.data(), bytes, cudaMemcpyDefault) == cudaSuccess);
  }
  ~Memory() { cudaFree(data); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void fetch() {
    REQUIRE(cudaMemcpy(host.data(), data, host.size(), cudaMemcpyDefault) == cudaSuccess);
  }

  std::vector<char> host;
  char* data = nullptr;
};

const emu::Counters& counted() {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return emu::last_launch()->counters;
}

}  // namespace

TEST_CASE("memcpy moves words, and each is a load and a store of its lane") {
  const Memory from(kThreads * 8);
  Memory to(kThreads * 8);
  copy<<<1, kThreads>>>(to.data, from.data, 8);
  CHECK(counted().global_load.requests == 2);
  CHECK(counted().global_load.sectors == 2 * 8);  // every second word
  CHECK(counted().global_store.requests == 2);
  to.fetch();
  CHECK(to.host == from.host);
}

TEST_CASE("memcpy of one number is what an assignment is") {
  const Memory from(kThreads * sizeof(float)), to(kThreads * sizeof(float));
  copy_one_float<<<1, kThreads>>>(reinterpret_cast<float*>(to.data),
                                  reinterpret_cast<const float*>(from.data));
  CHECK(counted().global_load.requests == 1);
  CHECK(counted().global_load.sectors == 4);
  CHECK(counted().global_store.requests == 1);
}

TEST_CASE("memmove where the two overlap, and memset") {
  Memory values(kThreads + 1);
  shift<<<1, kThreads>>>(values.data, kThreads);
  CHECK(counted().global_load.requests >= 1);
  values.fetch();
  for (int i = 1; i <= kThreads; ++i) CHECK(values.host[static_cast<std::size_t>(i)] == i - 1);
  Memory filled(kThreads * 4);
  fill<<<1, kThreads>>>(filled.data, 4);
  CHECK(counted().global_store.requests == 1);
  CHECK(counted().global_store.sectors == 4);
  CHECK(counted().global_load.requests == 0);
  filled.fetch();
  for (const char byte : filled.host) CHECK(byte == 7);
}

TEST_CASE("memcheck sees them") {
  const Memory from(kThreads * 8), to(kThreads * 8 - 4);
  emu::set_checking(emu::kAllChecks);
  copy<<<1, kThreads>>>(to.data, from.data, 8);
  cudaDeviceSynchronize();
  emu::set_checking({});
  const auto findings = emu::take_findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "out_of_bounds");
  CHECK(findings[0].first.thread == "(31,0,0)");
}
