// Tests calls after a kernel has failed and the process has lost the device, as with CUDA 13.0 on
// an H100. A separate program, because nothing can run afterwards.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <thread>

#include "cuda_error_text.hpp"

namespace {

__device__ int variable;

__global__ void write_one(int* out) { out[threadIdx.x] = 1; }

}  // namespace

TEST_CASE("a bad address ends the device, not the launch") {
  int* device = nullptr;
  int* pinned = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaMalloc(&device, 4) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 4) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);

  int* volatile nowhere = reinterpret_cast<int*>(0x10);
  write_one<<<1, 1>>>(nowhere);
  CHECK(cudaGetLastError() == cudaSuccess);  // the launch itself was fine

  const cudaError_t lost = cudaErrorIllegalAddress;
  CHECK(cudaDeviceSynchronize() == lost);
  CHECK(cudaPeekAtLastError() == lost);
  CHECK(cudaGetLastError() == lost);
  // The error is reported once here, although every later call fails.
  CHECK(cudaGetLastError() == cudaSuccess);

  // Calls that need the device.
  int number = 0;
  std::size_t size = 0;
  float ms = 0;
  void* pointer = nullptr;
  int words[2] = {};
  cudaStream_t new_stream = nullptr;
  cudaEvent_t new_event = nullptr;
  cudaFuncAttributes attributes;
  CHECK(cudaMalloc(&device, 4) == lost);
  CHECK(cudaGetLastError() == lost);
  CHECK(cudaFree(nullptr) == lost);
  CHECK(cudaFree(device) == lost);
  CHECK(cudaMemGetInfo(&size, &size) == lost);
  CHECK(cudaMallocHost(&pinned, 4) == lost);
  CHECK(cudaHostAlloc(&pinned, 4, 0) == lost);
  CHECK(cudaFreeHost(nullptr) == lost);
  CHECK(cudaFreeHost(pinned) == lost);
  CHECK(cudaMemcpy(&words[0], &words[1], 4, cudaMemcpyHostToHost) == lost);
  CHECK(cudaGetSymbolAddress(&pointer, variable) == lost);
  CHECK(cudaStreamCreate(&new_stream) == lost);
  CHECK(cudaStreamQuery(nullptr) == lost);
  CHECK(cudaStreamSynchronize(nullptr) == lost);
  CHECK(cudaStreamQuery(stream) == lost);
  CHECK(cudaStreamDestroy(stream) == lost);
  CHECK(cudaEventCreate(&new_event) == lost);
  CHECK(cudaEventQuery(event) == lost);
  CHECK(cudaEventSynchronize(event) == lost);
  CHECK(cudaEventRecord(event) == lost);
  CHECK(cudaEventDestroy(event) == lost);
  CHECK(cudaFuncGetAttributes(&attributes, write_one) == lost);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, write_one, 32, 0) == lost);
  CHECK(cudaDeviceGetLimit(&size, cudaLimitStackSize) == lost);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == lost);
  CHECK(cudaDeviceGetStreamPriorityRange(&number, &number) == lost);
  CHECK(cudaGetLastError() == lost);
  write_one<<<1, 1>>>(device);
  CHECK(cudaGetLastError() == lost);
  write_one<<<0, 1>>>(device);
  CHECK(cudaGetLastError() == lost);

  // Calls that need no device, and calls with wrong arguments.
  cudaDeviceProp properties;
  cudaPointerAttributes place;
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGetDeviceCount(&number) == cudaSuccess);
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cudaGetDevice(&number) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&number) == cudaSuccess);
  CHECK(cudaDriverGetVersion(&number) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(&place, words) == cudaSuccess);
  CHECK(cudaDeviceCanAccessPeer(&number, 0, 0) == cudaSuccess);
  CHECK(cudaSetDeviceFlags(0) == cudaSuccess);
  CHECK(cudaMemcpy(&words[0], &words[1], 4, static_cast<cudaMemcpyKind>(9)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
  CHECK(cudaEventElapsedTime(&ms, nullptr, nullptr) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();

  std::thread([&] {
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc(&device, 4) == lost);
    CHECK(cudaGetLastError() == lost);
  }).join();

  // A reset succeeds, but the process gets no new device.
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(&device, 4) == cudaErrorDevicesUnavailable);
  CHECK(cudaDeviceSynchronize() == cudaErrorDevicesUnavailable);
  write_one<<<1, 1>>>(device);
  CHECK(cudaGetLastError() == cudaErrorDevicesUnavailable);
}
