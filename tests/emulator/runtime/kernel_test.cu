// Tests launches by address, attributes of kernels and occupancy, as with CUDA 13.0 on an H100.
// Passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>

#include "cuda_error_text.hpp"

namespace {

constexpr int kSharedInts = 1000;
constexpr std::size_t kSharedBytes = 4 * kSharedInts;
constexpr std::size_t kDefaultLimit = 48 * 1024;
constexpr std::size_t kOptInLimit = 227 * 1024;

__global__ void fill(int* out, int value) {
  out[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}

__global__ void __launch_bounds__(128) fill_bounded(int* out) { out[threadIdx.x] = 1; }

__global__ void reverse_static(int* data) {
  __shared__ int tile[kSharedInts];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_dynamic(int* data) {
  extern __shared__ int dynamic_tile[];
  dynamic_tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = dynamic_tile[blockDim.x - 1 - threadIdx.x];
}

template <class T>
__global__ void scale(T* data, T factor) {
  data[threadIdx.x] *= factor;
}

int not_a_kernel[4];

template <std::size_t N>
std::array<int, N> from_device(const int* device) {
  std::array<int, N> host{};
  CHECK(cudaMemcpy(host.data(), device, sizeof(host), cudaMemcpyDeviceToHost) == cudaSuccess);
  return host;
}

struct DeviceInts {
  DeviceInts() {
    REQUIRE(cudaMalloc(&data, 4096) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, 4096) == cudaSuccess);
  }
  ~DeviceInts() { cudaFree(data); }
  int* data = nullptr;
};

int blocks_of(const void* kernel, int threads, std::size_t dynamic_bytes) {
  int blocks = -1;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_bytes) ==
        cudaSuccess);
  return blocks;
}

}  // namespace

TEST_CASE("cudaLaunchKernel passes arguments by address") {
  DeviceInts ints;
  int value = 5;
  void* arguments[] = {&ints.data, &value};
  CHECK(cudaLaunchKernel((const void*)fill, dim3(1), dim3(3), arguments, 0, nullptr) ==
        cudaSuccess);
  CHECK(from_device<4>(ints.data) == std::array{5, 6, 7, 0});
  value = 20;
  CHECK(cudaLaunchKernel(fill, dim3(1), dim3(2), arguments) == cudaSuccess);
  CHECK(from_device<4>(ints.data) == std::array{20, 21, 7, 0});
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("templates launch by address too") {
  DeviceInts ints;
  int value = 1;
  void* fill_arguments[] = {&ints.data, &value};
  REQUIRE(cudaLaunchKernel(fill, dim3(1), dim3(4), fill_arguments) == cudaSuccess);
  int factor = 3;
  void* arguments[] = {&ints.data, &factor};
  CHECK(cudaLaunchKernel((void*)scale<int>, dim3(1), dim3(4), arguments, 0, nullptr) ==
        cudaSuccess);
  CHECK(from_device<4>(ints.data) == std::array{3, 6, 9, 12});
}

TEST_CASE("cudaLaunchKernelEx converts arguments as a call does") {
  DeviceInts ints;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(2);
  CHECK(cudaLaunchKernelEx(&config, fill, ints.data, short{7}) == cudaSuccess);
  CHECK(from_device<3>(ints.data) == std::array{7, 8, 0});
  int value = 9;
  void* arguments[] = {&ints.data, &value};
  CHECK(cudaLaunchKernelExC(&config, (const void*)fill, arguments) == cudaSuccess);
  CHECK(from_device<3>(ints.data) == std::array{9, 10, 0});
}

TEST_CASE("launches that no device could run are invalid values, and not sticky") {
  DeviceInts ints;
  int value = 5;
  void* arguments[] = {&ints.data, &value};
  struct Case {
    dim3 grid, block;
    std::size_t shared_bytes;
  };
  const Case cases[] = {
      {dim3(0), dim3(32), 0},
      {dim3(1), dim3(0), 0},
      {dim3(1), dim3(1025), 0},
      {dim3(1), dim3(1, 1, 65), 0},
      {dim3(1, 65536), dim3(1), 0},
      {dim3(1, 1, 65536), dim3(1), 0},
      {dim3(1u << 31), dim3(1), 0},
      {dim3(1), dim3(32, 33), 0},
      {dim3(1), dim3(1), kDefaultLimit + 1},
  };
  for (const Case& c : cases) {
    CAPTURE(&c - cases);
    cudaGetLastError();
    CHECK(cudaLaunchKernel((const void*)fill, c.grid, c.block, arguments, c.shared_bytes,
                           nullptr) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    fill<<<c.grid, c.block, c.shared_bytes>>>(ints.data, value);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(from_device<2>(ints.data) == std::array{0, 0});
  CHECK(cudaLaunchKernel((const void*)fill, dim3(1), dim3(1), arguments, kDefaultLimit, nullptr) ==
        cudaSuccess);
  CHECK(cudaLaunchKernel((const void*)fill_bounded, dim3(1), dim3(129), arguments, 0, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel((const void*)fill_bounded, dim3(1), dim3(128), arguments, 0, nullptr) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a launch that succeeds leaves an earlier error alone") {
  DeviceInts ints;
  int value = 5;
  void* arguments[] = {&ints.data, &value};
  cudaGetLastError();
  CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
  CHECK(cudaLaunchKernel((const void*)fill, dim3(1), dim3(1), arguments, 0, nullptr) ==
        cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("what is not a kernel") {
  void* arguments[] = {nullptr};
  cudaFuncAttributes attributes;
  const void* const null = nullptr;
  const void* const data = not_a_kernel;
  CHECK(cudaLaunchKernel(null, dim3(1), dim3(1), arguments, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(data, dim3(1), dim3(1), arguments, 0, nullptr) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaFuncGetAttributes(&attributes, null) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncGetAttributes(&attributes, data) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFuncGetAttributes(nullptr, fill) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(null, cudaFuncAttributeMaxDynamicSharedMemorySize, 50) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncSetAttribute(data, cudaFuncAttributeMaxDynamicSharedMemorySize, 50) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaFuncSetCacheConfig(null, cudaFuncCachePreferL1) == cudaErrorInvalidDeviceFunction);
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, null, 32, 0) ==
        cudaErrorInvalidDeviceFunction);
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, null) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

TEST_CASE("attributes of kernels") {
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, fill_bounded) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 128);
  REQUIRE(cudaFuncGetAttributes(&attributes, fill) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == 0);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.numRegs > 0);
  CHECK(attributes.binaryVersion == 90);
  CHECK(attributes.maxDynamicSharedSizeBytes == kDefaultLimit);
  CHECK(attributes.preferredShmemCarveout == -1);
  REQUIRE(cudaFuncGetAttributes(&attributes, reverse_static) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == kSharedBytes);
  CHECK(attributes.maxDynamicSharedSizeBytes == kDefaultLimit - kSharedBytes);

  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(fill, static_cast<cudaFuncCache>(9)) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferNone) == cudaSuccess);
}

TEST_CASE("more than 48 KiB of dynamic shared memory has to be allowed first") {
  DeviceInts ints;
  const auto set = [](auto kernel, int value) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, value);
  };
  const auto launch = [&](std::size_t bytes) {
    cudaGetLastError();
    reverse_dynamic<<<1, 32, bytes>>>(ints.data);
    return cudaGetLastError();
  };
  CHECK(launch(kDefaultLimit + 1) == cudaErrorInvalidValue);
  CHECK(set(reverse_dynamic, kOptInLimit + 1) == cudaErrorInvalidValue);
  CHECK(set(reverse_dynamic, -1) == cudaErrorInvalidValue);
  CHECK(set(reverse_dynamic, kOptInLimit) == cudaSuccess);
  CHECK(launch(kOptInLimit) == cudaSuccess);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, reverse_dynamic) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == kOptInLimit);
  CHECK(set(reverse_dynamic, 1024) == cudaSuccess);
  CHECK(launch(1024) == cudaSuccess);
  CHECK(launch(2048) == cudaErrorInvalidValue);
  CHECK(set(reverse_dynamic, kDefaultLimit) == cudaSuccess);

  // Static and dynamic shared memory have a common limit.
  CHECK(set(reverse_static, kOptInLimit) == cudaErrorInvalidValue);
  CHECK(set(reverse_static, kOptInLimit - kSharedBytes) == cudaSuccess);
  CHECK(set(reverse_static, kOptInLimit - kSharedBytes + 1) == cudaErrorInvalidValue);
  CHECK(set(reverse_static, kDefaultLimit - kSharedBytes) == cudaSuccess);

  const auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  CHECK(cudaFuncSetAttribute(fill, carveout, 101) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(fill, carveout, -2) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(fill, carveout, 50) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(fill, carveout, cudaSharedmemCarveoutDefault) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(fill, static_cast<cudaFuncAttribute>(3), 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributeMax, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("blocks on a multiprocessor") {
  struct Case {
    int threads;
    std::size_t dynamic_bytes;
    int without_static, with_static;
  };
  // An H100's answers for kernels of at most 32 registers, without and with 4000 static bytes.
  const Case cases[] = {
      {1, 0, 32, 32},     {32, 16384, 13, 10}, {32, 49152 - kSharedBytes, 5, 4},
      {64, 1024, 32, 32}, {96, 0, 21, 21},     {128, 16384, 13, 10},
      {192, 0, 10, 10},   {256, 1, 8, 8},      {384, 16384, 5, 5},
      {640, 0, 3, 3},     {768, 1024, 2, 2},   {1024, 16384, 2, 2},
      {1025, 0, 0, 0},    {32, 49153, 0, 0},   {32, 300000, 0, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.threads);
    CAPTURE(c.dynamic_bytes);
    CHECK(blocks_of((const void*)fill, c.threads, c.dynamic_bytes) == c.without_static);
    CHECK(blocks_of((const void*)reverse_static, c.threads, c.dynamic_bytes) == c.with_static);
  }
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, -1, 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, fill, 32, 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 32, 0, 7) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, fill, 32, 0, cudaOccupancyDisableCachingOverride) == cudaSuccess);
  CHECK(blocks == 32);
}

TEST_CASE("the block size that fills the device") {
  int grid = 0;
  int block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill) == cudaSuccess);
  CHECK(grid == 264);
  CHECK(block == 1024);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reverse_static, 20000) == cudaSuccess);
  CHECK(grid == 264);
  CHECK(block == 1024);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 100) == cudaSuccess);
  CHECK(grid == 4224);
  CHECK(block == 64);
  // Shared memory that grows with the block: 48 KiB at 1024 threads.
  const auto shared_bytes = [](int threads) { return static_cast<std::size_t>(48 * threads); };
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, shared_bytes) ==
        cudaSuccess);
  CHECK(block == 1024);
  CHECK(grid == 264);
  CHECK(cudaOccupancyMaxPotentialBlockSize(nullptr, &block, fill) == cudaErrorInvalidValue);
}

TEST_CASE("shared memory left for a block when several shall fit") {
  const auto allow = [](std::size_t bytes) {
    return cudaFuncSetAttribute(reverse_static, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bytes));
  };
  REQUIRE(allow(kOptInLimit - kSharedBytes) == cudaSuccess);
  struct Case {
    int blocks;
    std::size_t bytes;
  };
  for (const Case c : {Case{1, 228448}, Case{2, 112736}, Case{4, 54368}, Case{8, 25184},
                       Case{16, 10592}, Case{32, 3296}}) {
    CAPTURE(c.blocks);
    std::size_t bytes = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse_static, c.blocks, 64) ==
          cudaSuccess);
    CHECK(bytes == c.bytes);
  }
  std::size_t bytes = 7;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse_static, 33, 64) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse_static, 0, 64) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse_static, 1, 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse_static, 1, 2000) ==
        cudaErrorInvalidValue);
  CHECK(bytes == 7);
  CHECK(allow(kDefaultLimit - kSharedBytes) == cudaSuccess);
}
