// Inline PTX of arithmetic counts like its plain twin: memory operands are read and written once.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <vector>

#include "emulator/counters.h"

namespace {

constexpr int kThreads = 32;
constexpr int kRows = 4;

__global__ void plain(const int* a, int* b) {
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int row = 0; row < kRows; ++row) sum = a[i + kThreads * row] + sum * 3;
  b[i] += sum;
}

__global__ void with_ptx(const int* a, int* b) {
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int row = 0; row < kRows; ++row)
    asm("{ .reg .s32 t; mul.lo.s32 t, %1, 3; add.s32 %0, %2, t; }"
        : "=r"(sum)
        : "r"(sum), "r"(a[i + kThreads * row]));
  asm volatile("add.s32 %0, %0, %1; add.s32 %0, %0, 0;" : "+r"(b[i]) : "r"(sum));
}

}  // namespace

TEST_CASE("inline PTX counts as its plain twin") {
  int* a = nullptr;
  int* b = nullptr;
  REQUIRE(cudaMallocManaged(&a, kRows * kThreads * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&b, kThreads * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < kRows * kThreads; ++i) a[i] = i * i - 100;
  for (int i = 0; i < kThreads; ++i) b[i] = i;
  plain<<<1, kThreads>>>(a, b);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<int> expected(b, b + kThreads);
  const emu::Counters counters = emu::last_launch()->counters;

  for (int i = 0; i < kThreads; ++i) b[i] = i;
  with_ptx<<<1, kThreads>>>(a, b);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::vector<int>(b, b + kThreads) == expected);
  CHECK(emu::last_launch()->counters == counters);
  CHECK(counters.global_load.requests == kRows + 1);
  cudaFree(a);
  cudaFree(b);
}
