// Tests copies to and from device variables, as with CUDA 13.0 on an H100. Passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

__device__ int numbers[16];
__device__ float scale = 0.5f;
__constant__ float weights[8];
__managed__ int shared_numbers[4];
int host_only = 0;

struct Link {
  int* target;
  long long number;
};
__device__ Link links[3] = {{&numbers[3], 1}, {nullptr, 2}, {&numbers[5], 3}};
__device__ int large[100000];
__constant__ int limit = 9;
__constant__ const int fixed = 4;
__managed__ long long managed_number = 77;

__global__ void change_all() {
  links[0] = {nullptr, 10};
  links[2].target = &numbers[1];
  large[99999] = 5;
  managed_number = 78;
  scale = 4.0f;
}

__global__ void look_at_all(int* right) {
  right[0] = links[0].target == &numbers[3] && links[0].number == 1 && links[1].number == 2 &&
             links[2].target == &numbers[5];
  right[1] = large[99999] == 0 && numbers[7] == 0;
  right[2] = limit == 9 && fixed == 4;
  right[3] = scale == 0.5f;
}

__global__ void read_variables(int* sums) {
  const unsigned i = threadIdx.x;
  sums[i] = numbers[i] + static_cast<int>(scale * weights[i % 8]) + shared_numbers[i % 4];
  numbers[i] = static_cast<int>(i);
}

}  // namespace

TEST_CASE("kernels and symbol copies see the same variables") {
  std::array<int, 16> host{};
  for (int i = 0; i < 16; ++i) host[i] = 100 * i;
  const std::array<float, 8> host_weights = {2, 4, 6, 8, 10, 12, 14, 16};
  const float two = 2.0f;
  REQUIRE(cudaMemcpyToSymbol(numbers, host.data(), sizeof(host)) == cudaSuccess);
  REQUIRE(cudaMemcpyToSymbol(weights, host_weights.data(), sizeof(host_weights)) == cudaSuccess);
  float initial = 0;
  REQUIRE(cudaMemcpyFromSymbol(&initial, scale, sizeof(initial)) == cudaSuccess);
  CHECK(initial == 0.5f);
  REQUIRE(cudaMemcpyToSymbol(scale, &two, sizeof(two)) == cudaSuccess);
  for (int i = 0; i < 4; ++i) shared_numbers[i] = i;  // managed memory, which the host may use, too

  int* sums = nullptr;
  REQUIRE(cudaMalloc(&sums, sizeof(host)) == cudaSuccess);
  cudaGetLastError();
  read_variables<<<1, 16>>>(sums);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::array<int, 16> result{};
  REQUIRE(cudaMemcpy(result.data(), sums, sizeof(result), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(result[i] == 100 * i + 2 * (2 + 2 * (i % 8)) + i % 4);
  }
  REQUIRE(cudaMemcpyFromSymbol(result.data(), numbers, sizeof(result)) == cudaSuccess);
  for (int i = 0; i < 16; ++i) CHECK(result[i] == i);
  const float half = 0.5f;
  CHECK(cudaMemcpyToSymbol(scale, &half, sizeof(half)) == cudaSuccess);
  CHECK(cudaFree(sums) == cudaSuccess);
}

TEST_CASE("ranges of a variable") {
  std::array<int, 64> host{};
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 64) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 65) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 16, 48) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 16, 49) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 16, 64) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(numbers, host.data(), 0, 65) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(weights, host.data(), 32) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(weights, host.data(), 33) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbol(host.data(), shared_numbers, 16) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(numbers, nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(numbers, nullptr, 0) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(nullptr, numbers, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbolAsync(numbers, host.data(), 16, 0, cudaMemcpyHostToDevice, nullptr) ==
        cudaSuccess);
  CHECK(cudaMemcpyFromSymbolAsync(host.data(), numbers, 16, 0, cudaMemcpyDeviceToHost, nullptr) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("directions of symbol copies") {
  std::array<int, 16> host{};
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  struct Case {
    int kind;
    cudaError_t to_from_host, to_from_device, from_to_host, from_to_device;
  };
  const cudaError_t ok = cudaSuccess;
  const cudaError_t value = cudaErrorInvalidValue;
  const cudaError_t direction = cudaErrorInvalidMemcpyDirection;
  const Case cases[] = {
      {cudaMemcpyHostToHost, direction, direction, direction, direction},
      {cudaMemcpyHostToDevice, ok, ok, direction, direction},
      {cudaMemcpyDeviceToHost, direction, direction, ok, ok},
      {cudaMemcpyDeviceToDevice, value, ok, value, ok},
      {cudaMemcpyDefault, ok, ok, ok, ok},
      {5, direction, direction, direction, direction},
  };
  for (const Case& c : cases) {
    CAPTURE(c.kind);
    const auto kind = static_cast<cudaMemcpyKind>(c.kind);
    CHECK(cudaMemcpyToSymbol(numbers, host.data(), 16, 0, kind) == c.to_from_host);
    CHECK(cudaMemcpyToSymbol(numbers, device, 16, 0, kind) == c.to_from_device);
    CHECK(cudaMemcpyFromSymbol(host.data(), numbers, 16, 0, kind) == c.from_to_host);
    CHECK(cudaMemcpyFromSymbol(device, numbers, 16, 0, kind) == c.from_to_device);
  }
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("a variable of the host is no symbol") {
  int word = 0;
  void* pointer = &word;
  std::size_t bytes = 0;
  CHECK(cudaMemcpyToSymbol(host_only, &word, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyFromSymbol(&word, host_only, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(static_cast<const void*>(nullptr), &word, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolAddress(&pointer, host_only) == cudaErrorInvalidSymbol);
  CHECK(pointer == &word);
  CHECK(cudaGetSymbolSize(&bytes, host_only) == cudaErrorInvalidSymbol);
}

TEST_CASE("the address of a variable is device memory of its size") {
  std::array<int, 32> host{};
  void* address = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolAddress(&address, numbers) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&bytes, numbers) == cudaSuccess);
  CHECK(bytes == 64);
  CHECK(cudaMemcpy(host.data(), address, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(host.data(), address, 65, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(address, 0, 64) == cudaSuccess);
  CHECK(cudaMemset(address, 0, 65) == cudaErrorInvalidValue);
  CHECK(cudaFree(address) == cudaErrorInvalidValue);

  struct Case {
    const void* address;
    cudaMemoryType type;
  };
  void* constant = nullptr;
  void* managed = nullptr;
  REQUIRE(cudaGetSymbolAddress(&constant, weights) == cudaSuccess);
  REQUIRE(cudaGetSymbolAddress(&managed, shared_numbers) == cudaSuccess);
  CHECK(managed == shared_numbers);
  for (const Case c : {Case{address, cudaMemoryTypeDevice}, Case{constant, cudaMemoryTypeDevice},
                       Case{managed, cudaMemoryTypeManaged}}) {
    cudaPointerAttributes attributes{};
    CHECK(cudaPointerGetAttributes(&attributes, c.address) == cudaSuccess);
    CHECK(attributes.type == c.type);
    CHECK(attributes.device == 0);
  }
}

TEST_CASE("after a reset of the device, variables have their first values again") {
  for (int round = 0; round < 2; ++round) {
    const int other = 8;
    const std::array<int, 16> host = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    REQUIRE(cudaMemcpyToSymbol(limit, &other, sizeof(other)) == cudaSuccess);
    REQUIRE(cudaMemcpyToSymbol(numbers, host.data(), sizeof(host)) == cudaSuccess);
    change_all<<<1, 1>>>();
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaDeviceReset() == cudaSuccess);
    int* right = nullptr;
    REQUIRE(cudaMalloc(&right, 4 * sizeof(int)) == cudaSuccess);
    look_at_all<<<1, 1>>>(right);
    std::array<int, 4> result{};
    REQUIRE(cudaMemcpy(result.data(), right, sizeof(result), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    for (const int one : result) CHECK(one == 1);
  }
}
