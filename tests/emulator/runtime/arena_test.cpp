// Tests the arena, which is internal to the emulator and not part of CUDA.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <emulator/memory.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMiB = std::size_t{1} << 20;

char* device_memory(std::size_t bytes) {
  char* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, bytes) == cudaSuccess);
  return pointer;
}

std::string description(const void* address) {
  char text[256];
  return {text, emu::describe_address(address, text, sizeof(text))};
}

/// Returns the resident memory of this process in bytes.
std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  REQUIRE(file != nullptr);
  CHECK(std::fscanf(file, "%*u %zu", &pages) == 1);
  std::fclose(file);
  return pages * kPageBytes;
}

}  // namespace

TEST_CASE("an allocation is known to the byte, in its space") {
  char* const device = device_memory(1000);
  char* managed = nullptr;
  char* pinned = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  struct Case {
    char* begin;
    emu::Space space;
  };
  for (const Case c : {Case{device, emu::Space::device}, Case{managed, emu::Space::managed},
                       Case{pinned, emu::Space::pinned}}) {
    CHECK(emu::in_arena(c.begin));
    for (const std::ptrdiff_t offset : {0, 1, 999}) {
      emu::Allocation allocation{};
      CHECK(emu::find_space(c.begin + offset) == c.space);
      REQUIRE(emu::find_allocation(c.begin + offset, &allocation));
      CHECK(allocation.begin == c.begin);
      CHECK(allocation.bytes == 1000);
    }
    for (const std::ptrdiff_t offset : {-1, 1000, 70'000}) {
      emu::Allocation allocation{};
      CHECK(emu::find_space(c.begin + offset) == emu::Space::none);
      CHECK_FALSE(emu::find_allocation(c.begin + offset, &allocation));
    }
  }
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(emu::find_space(device) == emu::Space::none);
  CHECK(emu::in_arena(device));
}

TEST_CASE("host memory is outside the arena, registered or not") {
  std::vector<char> buffer(3 * kPageBytes);
  CHECK_FALSE(emu::in_arena(buffer.data()));
  CHECK_FALSE(emu::in_arena(nullptr));
  CHECK(emu::find_space(buffer.data()) == emu::Space::none);
  REQUIRE(cudaHostRegister(buffer.data(), 100, 0) == cudaSuccess);
  CHECK(emu::find_space(buffer.data()) == emu::Space::pinned);
  CHECK(emu::find_space(buffer.data() + 99) == emu::Space::pinned);
  CHECK(emu::find_space(buffer.data() + 100) == emu::Space::none);
  CHECK(cudaHostUnregister(buffer.data()) == cudaSuccess);
  CHECK(emu::find_space(buffer.data()) == emu::Space::none);
}

TEST_CASE("an allocation ends at a page's end, so that the next byte faults") {
  for (const std::size_t bytes : {256, 1024, 4096, 5 * 4096, 70'144, 3'145'728}) {
    CAPTURE(bytes);
    char* const pointer = device_memory(bytes);
    CHECK((reinterpret_cast<std::uintptr_t>(pointer) + bytes) % kPageBytes == 0);
    CHECK(cudaFree(pointer) == cudaSuccess);
  }
}

TEST_CASE("addresses of freed memory are not used again at once") {
  char* const first = device_memory(4096);
  CHECK(cudaFree(first) == cudaSuccess);
  for (int i = 0; i < 1000; ++i) {
    char* const next = device_memory(4096);
    CHECK(next != first);
    CHECK(cudaFree(next) == cudaSuccess);
  }
}

TEST_CASE("the arena's addresses can be used over and over") {
  std::size_t free = 0;
  REQUIRE(cudaMemGetInfo(&free, nullptr) == cudaSuccess);
  constexpr std::size_t kArenaBytes = std::size_t{256} << 30;
  for (std::size_t total = 0; total < kArenaBytes + kArenaBytes / 4; total += free / 2) {
    char* const pointer = device_memory(free / 2);
    REQUIRE(cudaMemset(pointer + free / 2 - 1, 1, 1) == cudaSuccess);
    REQUIRE(cudaFree(pointer) == cudaSuccess);
  }
}

TEST_CASE("large allocations cost nothing until they are touched") {
  std::size_t free = 0;
  REQUIRE(cudaMemGetInfo(&free, nullptr) == cudaSuccess);
  REQUIRE(free > 512 * kMiB);
  const std::size_t before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  // Other programs may use some of it meanwhile.
  char* const pointer = device_memory(free / 4 * 3);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  CHECK(elapsed < std::chrono::milliseconds(200));
  CHECK(resident_bytes() < before + 64 * kMiB);
  CHECK(cudaMemset(pointer, 0, 1) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("freeing gives memory back to the system") {
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 20; ++i) {
    char* const pointer = device_memory(32 * kMiB);
    CHECK(cudaMemset(pointer, i, 32 * kMiB) == cudaSuccess);
    CHECK(cudaFree(pointer) == cudaSuccess);
  }
  CHECK(resident_bytes() < before + 40 * kMiB);
}

TEST_CASE("all that is free can be had, not a byte more, and again after freeing") {
  for (int round = 0; round < 3; ++round) {
    std::size_t free = 0;
    REQUIRE(cudaMemGetInfo(&free, nullptr) == cudaSuccess);
    char* half = device_memory(free / 2);
    char* more = nullptr;
    CHECK(cudaMalloc(&more, free - free / 2 + 1) == cudaErrorMemoryAllocation);
    CHECK(cudaFree(half) == cudaSuccess);
  }
  cudaGetLastError();
}

TEST_CASE("many allocations of all sizes, freed in another order, keep their contents") {
  std::mt19937 random(11);
  struct Block {
    unsigned char* pointer;
    std::size_t bytes;
    unsigned char value;
  };
  std::vector<Block> blocks;
  for (int step = 0; step < 4000; ++step) {
    if (blocks.size() < 200 || random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % (random() % 50 == 0 ? 5'000'000 : 5'000);
      const auto value = static_cast<unsigned char>(random());
      auto* const pointer = reinterpret_cast<unsigned char*>(device_memory(bytes));
      REQUIRE(cudaMemset(pointer, value, bytes) == cudaSuccess);
      blocks.push_back({pointer, bytes, value});
    } else {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Block block = blocks.back();
      blocks.pop_back();
      unsigned char ends[2] = {};
      REQUIRE(cudaMemcpy(&ends[0], block.pointer, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
      REQUIRE(cudaMemcpy(&ends[1], block.pointer + block.bytes - 1, 1, cudaMemcpyDeviceToHost) ==
              cudaSuccess);
      REQUIRE(ends[0] == block.value);
      REQUIRE(ends[1] == block.value);
      REQUIRE(cudaFree(block.pointer) == cudaSuccess);
    }
  }
  for (const Block& block : blocks) REQUIRE(cudaFree(block.pointer) == cudaSuccess);
}

TEST_CASE("host threads may allocate, copy and free at the same time") {
  constexpr int kThreads = 8;
  std::array<int, kThreads> failures{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t, &failures] {
      std::vector<int> host(1000, t);
      std::vector<int> back(1000);
      for (int i = 0; i < 300; ++i) {
        int* device = nullptr;
        const std::size_t bytes = host.size() * sizeof(int);
        const bool ok =
            cudaMalloc(&device, bytes) == cudaSuccess &&
            cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
            cudaMemcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
            emu::find_space(device) == emu::Space::device && back == host &&
            cudaFree(device) == cudaSuccess;
        if (!ok) ++failures[static_cast<std::size_t>(t)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int failed : failures) CHECK(failed == 0);
}

TEST_CASE("addresses describe themselves") {
  char* const pointer = device_memory(1000);
  CHECK(description(pointer + 8) == "byte 8 of 1000 allocated");
  CHECK(description(pointer + 1000) == "0 bytes past the end of an allocation of 1000 bytes");
  CHECK(description(pointer + 5000) == "4000 bytes past the end of an allocation of 1000 bytes");
  CHECK(description(pointer - 4) == "4 bytes before an allocation of 1000 bytes");
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(description(pointer + 8) == "memory that has been freed");
  int local = 0;
  CHECK(description(&local).empty());
}

TEST_CASE("stale and invented handles are refused") {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(emu::valid_stream(stream));
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  const auto invented = reinterpret_cast<cudaStream_t>(std::uintptr_t{0x1234});
  char* const device = device_memory(16);
  char host[16] = {};
  for (const cudaStream_t bad : {stream, invented}) {
    const cudaError_t error = cudaErrorInvalidResourceHandle;
    CHECK_FALSE(emu::valid_stream(bad));
    CHECK(cudaStreamSynchronize(bad) == error);
    CHECK(cudaStreamQuery(bad) == error);
    CHECK(cudaStreamDestroy(bad) == error);
    CHECK(cudaMemcpyAsync(device, host, 16, cudaMemcpyHostToDevice, bad) == error);
    CHECK(cudaMemsetAsync(device, 0, 16, bad) == error);
    char* pointer = nullptr;
    CHECK(cudaMallocAsync(&pointer, 16, bad) == error);
    CHECK(cudaFreeAsync(device, bad) == error);
    CHECK(cudaLaunchHostFunc(
              bad, [](void*) {}, nullptr) == error);
    CHECK(cudaStreamWaitEvent(bad, event, 0) == error);
  }
  CHECK(cudaEventSynchronize(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFree(device) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the engine may clear a sticky error, a program may not") {
  emu::set_sticky_error(cudaErrorLaunchFailure);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  emu::set_sticky_error(cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
}
