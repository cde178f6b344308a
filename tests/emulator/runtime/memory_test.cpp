// Tests allocation of device, pinned, managed and stream-ordered memory, and queries of addresses,
// as with CUDA 13.0 on an H100. Uses only the runtime API, and passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kTooManyBytes = std::size_t{1} << 50;

template <class T>
T* marked() {
  static T object;
  return &object;
}

/// One allocation of each kind, freed at the end of the scope.
struct Allocations {
  Allocations() {
    REQUIRE(cudaMalloc(&device, kPageBytes) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, kPageBytes) == cudaSuccess);
    REQUIRE(cudaHostAlloc(&pinned, kPageBytes, cudaHostAllocMapped) == cudaSuccess);
  }
  ~Allocations() {
    cudaFree(device);
    cudaFree(managed);
    cudaFreeHost(pinned);
  }
  char* device = nullptr;
  char* managed = nullptr;
  char* pinned = nullptr;
  char host[kPageBytes] = {};
};

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes attributes;
  std::memset(&attributes, 0x55, sizeof(attributes));
  CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes;
}

}  // namespace

TEST_CASE("cudaMalloc: nothing for nothing, errors for the impossible") {
  char* pointer = marked<char>();
  CHECK(cudaMalloc(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&pointer, kTooManyBytes) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&pointer, ~std::size_t{0}) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

TEST_CASE("cudaMalloc aligns to 256 bytes at least, and allocations do not overlap") {
  std::vector<char*> pointers;
  for (const std::size_t bytes : {1, 255, 256, 257, 4095, 4096, 4097, 100'000, 3'000'000}) {
    CAPTURE(bytes);
    char* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, bytes) == cudaSuccess);
    CHECK(reinterpret_cast<std::uintptr_t>(pointer) % 256 == 0);
    CHECK(cudaMemset(pointer, static_cast<int>(pointers.size()), bytes) == cudaSuccess);
    pointers.push_back(pointer);
  }
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    char first = -1;
    CHECK(cudaMemcpy(&first, pointers[i], 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(first == static_cast<char>(i));
    CHECK(cudaFree(pointers[i]) == cudaSuccess);
  }
}

TEST_CASE("cudaFree takes the beginning of device or managed memory, once") {
  Allocations all;
  char* extra = nullptr;
  REQUIRE(cudaMalloc(&extra, 1) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFree(all.host) == cudaErrorInvalidValue);
  CHECK(cudaFree(reinterpret_cast<void*>(0x10)) == cudaErrorInvalidValue);
  CHECK(cudaFree(all.pinned) == cudaErrorInvalidValue);
  CHECK(cudaFree(all.device + 16) == cudaErrorInvalidValue);
  CHECK(cudaFree(extra) == cudaSuccess);
  CHECK(cudaFree(extra) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("cudaMallocPitch gives rows of a multiple of 512 bytes") {
  struct Case {
    std::size_t width, pitch;
  };
  for (const Case c : {Case{1, 512}, Case{4, 512}, Case{511, 512}, Case{512, 512}, Case{513, 1024},
                       Case{1000, 1024}}) {
    CAPTURE(c.width);
    char* pointer = nullptr;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&pointer, &pitch, c.width, 4) == cudaSuccess);
    CHECK(pitch == c.pitch);
    CHECK(cudaMemset(pointer, 0, 4 * pitch) == cudaSuccess);
    CHECK(cudaFree(pointer) == cudaSuccess);
  }
  char* pointer = marked<char>();
  std::size_t pitch = 1;
  CHECK(cudaMallocPitch(&pointer, &pitch, 4, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(pitch == 0);
  CHECK(cudaMallocPitch(&pointer, nullptr, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(static_cast<void**>(nullptr), &pitch, 4, 4) == cudaErrorInvalidValue);
}

TEST_CASE("cudaMalloc3D tells pitch and the size asked for") {
  cudaPitchedPtr pitched;
  REQUIRE(cudaMalloc3D(&pitched, make_cudaExtent(100, 3, 2)) == cudaSuccess);
  CHECK(pitched.pitch == 512);
  CHECK(pitched.xsize == 100);
  CHECK(pitched.ysize == 3);
  CHECK(cudaFree(pitched.ptr) == cudaSuccess);
  CHECK(cudaMalloc3D(&pitched, make_cudaExtent(0, 3, 2)) == cudaSuccess);
  CHECK(pitched.ptr == nullptr);
}

TEST_CASE("pinned memory: sizes, flags, and only cudaFreeHost frees it") {
  Allocations all;
  char* pointer = marked<char>();
  CHECK(cudaMallocHost(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaHostAlloc(&pointer, 0, cudaHostAllocDefault) == cudaSuccess);
  CHECK(cudaHostAlloc(&pointer, 4, 0x8) == cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(&pointer, 4, 0xff) == cudaErrorInvalidValue);
  CHECK(cudaMallocHost(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocHost(&pointer, kTooManyBytes) == cudaErrorMemoryAllocation);

  all.pinned[kPageBytes - 1] = 7;  // the host may use it
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  CHECK(cudaFreeHost(all.host) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(all.device) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(all.managed) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(all.pinned + 16) == cudaErrorInvalidValue);
  REQUIRE(cudaHostAlloc(&pointer, 64, cudaHostAllocPortable) == cudaSuccess);
  CHECK(cudaFreeHost(pointer) == cudaSuccess);
  CHECK(cudaFreeHost(pointer) == cudaErrorInvalidValue);
}

TEST_CASE("cudaHostRegister lends host memory to the device, once, by whole pages") {
  Allocations all;
  std::vector<char> buffer(8 * kPageBytes);
  char* const pages =
      buffer.data() + kPageBytes - reinterpret_cast<std::uintptr_t>(buffer.data()) % kPageBytes;
  CHECK(cudaHostUnregister(pages) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostUnregister(nullptr) == cudaErrorInvalidValue);
  REQUIRE(cudaHostRegister(pages, kPageBytes, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(pages, kPageBytes, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(pages + kPageBytes / 2, kPageBytes, 0) ==
        cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(nullptr, kPageBytes, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(pages + 2 * kPageBytes, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(pages + 2 * kPageBytes, kPageBytes, 0x10) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(all.device, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(all.pinned, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(all.managed, 64, 0) == cudaErrorInvalidValue);

  const cudaPointerAttributes attributes = attributes_of(pages);
  CHECK(attributes.type == cudaMemoryTypeHost);
  CHECK(attributes.devicePointer == pages);
  CHECK(attributes.hostPointer == pages);

  char* device = nullptr;
  CHECK(cudaHostGetDevicePointer(&device, pages, 0) == cudaSuccess);
  CHECK(device == pages);
  CHECK(cudaHostGetDevicePointer(&device, pages, 1) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&device, pages + 4 * kPageBytes, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(static_cast<void**>(nullptr), pages, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&device, all.pinned + 1, 0) == cudaSuccess);
  CHECK(device == all.pinned + 1);
  CHECK(cudaHostGetDevicePointer(&device, all.device, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&device, all.managed, 0) == cudaErrorInvalidValue);

  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, all.pinned) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);
  CHECK(cudaHostGetFlags(&flags, pages) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);
  CHECK(cudaHostGetFlags(&flags, all.host) == cudaErrorInvalidValue);

  CHECK(cudaHostUnregister(pages + 1) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(all.pinned) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(all.device) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(pages) == cudaSuccess);
  CHECK(cudaHostUnregister(pages) == cudaErrorHostMemoryNotRegistered);
  CHECK(attributes_of(pages).type == cudaMemoryTypeUnregistered);
}

TEST_CASE("managed memory: flags, prefetch and advice") {
  Allocations all;
  char* pointer = marked<char>();
  CHECK(cudaMallocManaged(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  for (const unsigned flags : {0, 3, 4}) {
    CHECK(cudaMallocManaged(&pointer, 4, flags) == cudaErrorInvalidValue);
  }
  CHECK(cudaMallocManaged(&pointer, kTooManyBytes) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocManaged(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  all.managed[0] = 1;  // the host may use it

  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemPrefetchAsync(all.managed, kPageBytes, device, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(all.managed, kPageBytes, host, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(all.device, 64, device, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(all.host, 64, device, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(all.managed, 0, device, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(all.managed, 2 * kPageBytes, device, 0, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(all.managed, 64, device, 1, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(all.managed, 64, {cudaMemLocationTypeDevice, 9}, 0, nullptr) ==
        cudaErrorInvalidDevice);
  CHECK(cudaMemPrefetchAsync(all.managed, 64, {cudaMemLocationTypeInvalid, 0}, 0, nullptr) ==
        cudaErrorInvalidValue);

  CHECK(cudaMemAdvise(all.managed, kPageBytes, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  CHECK(cudaMemAdvise(all.device, 64, cudaMemAdviseSetReadMostly, device) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(all.managed, 64, static_cast<cudaMemoryAdvise>(99), device) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(all.managed, 0, cudaMemAdviseSetReadMostly, device) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(all.managed, 64, cudaMemAdviseSetPreferredLocation,
                      {cudaMemLocationTypeDevice, 5}) == cudaErrorInvalidValue);

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, all.managed) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, all.device) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream, all.managed, 16) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream, all.managed, 0, 9) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(nullptr, all.managed, 0, cudaMemAttachSingle) ==
        cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("cudaPointerGetAttributes knows whose an address is, to the byte") {
  Allocations all;
  struct Case {
    const void* pointer;
    cudaMemoryType type;
    bool on_device, on_host;
  };
  const Case cases[] = {
      {all.device, cudaMemoryTypeDevice, true, false},
      {all.device + 5, cudaMemoryTypeDevice, true, false},
      {all.managed, cudaMemoryTypeManaged, true, true},
      {all.pinned, cudaMemoryTypeHost, true, true},
      {all.host, cudaMemoryTypeUnregistered, false, true},
      {reinterpret_cast<void*>(0x10), cudaMemoryTypeUnregistered, false, true},
  };
  for (const Case& c : cases) {
    CAPTURE(&c - cases);
    const cudaPointerAttributes attributes = attributes_of(c.pointer);
    CHECK(attributes.type == c.type);
    CHECK(attributes.device == (c.type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : 0));
    CHECK(attributes.devicePointer == (c.on_device ? c.pointer : nullptr));
    CHECK(attributes.hostPointer == (c.on_host ? c.pointer : nullptr));
  }
  CHECK(attributes_of(nullptr).type == cudaMemoryTypeUnregistered);
  CHECK(cudaPointerGetAttributes(nullptr, all.device) == cudaErrorInvalidValue);
}

TEST_CASE("cudaMemGetInfo counts what is allocated") {
  CHECK(cudaMemGetInfo(nullptr, nullptr) == cudaSuccess);
  std::size_t before = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(before > 0);
  CHECK(before <= total);
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  char* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, kBytes) == cudaSuccess);
  std::size_t during = 0;
  REQUIRE(cudaMemGetInfo(&during, nullptr) == cudaSuccess);
  CHECK(before - during == kBytes);
  CHECK(cudaMalloc(&pointer, during + total) == cudaErrorMemoryAllocation);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("stream-ordered memory") {
  Allocations all;
  char* pointer = marked<char>();
  CHECK(cudaMallocAsync(&pointer, 0, nullptr) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMallocAsync(&pointer, kTooManyBytes, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocAsync(static_cast<void**>(nullptr), 4, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(nullptr, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(all.host, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(all.managed, nullptr) == cudaErrorNotSupported);

  REQUIRE(cudaMallocAsync(&pointer, 64, nullptr) == cudaSuccess);
  CHECK(cudaMemsetAsync(pointer, 0, 64, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaErrorInvalidValue);

  // Each of the two calls frees the other's memory, too.
  REQUIRE(cudaMallocAsync(&pointer, 64, nullptr) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
  REQUIRE(cudaMalloc(&pointer, 64) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("memory pools") {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaErrorInvalidDevice);
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);

  std::uint64_t value = 1;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
  CHECK(value == 0);
  value = ~std::uint64_t{0};
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
  value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
  CHECK(value == ~std::uint64_t{0});
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value) ==
        cudaErrorInvalidValue);
  value = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(0), &value) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(9), &value) ==
        cudaErrorInvalidValue);
  int reuse = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse) == cudaSuccess);
  CHECK(reuse == 1);

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t mine = nullptr;
  REQUIRE(cudaMemPoolCreate(&mine, &properties) == cudaSuccess);
  char* pointer = nullptr;
  CHECK(cudaMallocFromPoolAsync(&pointer, 64, static_cast<cudaMemPool_t>(nullptr), nullptr) ==
        cudaErrorInvalidValue);
  REQUIRE(cudaMallocFromPoolAsync(&pointer, 64, mine, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &value) == cudaSuccess);
  CHECK(value == 64);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &value) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemHigh, &value) == cudaSuccess);
  CHECK(value == 64);
  CHECK(cudaMemPoolTrimTo(mine, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(mine) == cudaSuccess);
}
