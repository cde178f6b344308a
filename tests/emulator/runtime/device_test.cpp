// Tests the device's count, properties, attributes, limits and settings, as with CUDA 13.0 on an
// H100. Uses only the runtime API, and passes on a device, too.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "cuda_error_text.hpp"

namespace {

int attribute(cudaDeviceAttr id) {
  int value = -77;
  CHECK(cudaDeviceGetAttribute(&value, id, 0) == cudaSuccess);
  return value;
}

cudaDeviceProp properties() {
  cudaDeviceProp result;
  REQUIRE(cudaGetDeviceProperties(&result, 0) == cudaSuccess);
  return result;
}

}  // namespace

TEST_CASE("there is one device, number 0") {
  int count = 0;
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  int device = 99;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaGetDevice(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess);
  CHECK(cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaSetValidDevices(nullptr, 0) == cudaSuccess);
  device = 0;
  CHECK(cudaSetValidDevices(&device, 1) == cudaSuccess);
  device = 5;
  CHECK(cudaSetValidDevices(&device, 1) == cudaErrorInvalidDevice);
  const cudaDeviceProp wanted = properties();
  CHECK(cudaChooseDevice(&device, &wanted) == cudaSuccess);
  CHECK(device == 0);
}

TEST_CASE("properties and attributes are refused for bad arguments") {
  cudaDeviceProp result;
  CHECK(cudaGetDeviceProperties(&result, 1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(&result, -1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
  for (int id = 1; id < cudaDevAttrMax; ++id) {
    CAPTURE(id);
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(id), 0) == cudaSuccess);
  }
}

TEST_CASE("the figures that the course's arithmetic rests on are an H100's") {
  const cudaDeviceProp device = properties();
  CHECK(device.major == 9);
  CHECK(device.minor == 0);
  CHECK(device.multiProcessorCount == 132);
  CHECK(device.warpSize == 32);
  CHECK(device.maxThreadsPerBlock == 1024);
  CHECK(device.maxThreadsPerMultiProcessor == 2048);
  CHECK(device.maxBlocksPerMultiProcessor == 32);
  CHECK(device.maxThreadsDim[0] == 1024);
  CHECK(device.maxThreadsDim[1] == 1024);
  CHECK(device.maxThreadsDim[2] == 64);
  CHECK(device.maxGridSize[0] == 2'147'483'647);
  CHECK(device.maxGridSize[1] == 65535);
  CHECK(device.maxGridSize[2] == 65535);
  CHECK(device.regsPerBlock == 65536);
  CHECK(device.regsPerMultiprocessor == 65536);
  CHECK(device.sharedMemPerBlock == 48 * 1024);
  CHECK(device.sharedMemPerBlockOptin == 227 * 1024);
  CHECK(device.sharedMemPerMultiprocessor == 228 * 1024);
  CHECK(device.reservedSharedMemPerBlock == 1024);
  CHECK(device.totalConstMem == 64 * 1024);
  CHECK(device.l2CacheSize == 50 * 1024 * 1024);
  CHECK(device.memoryBusWidth == 5120);
  CHECK(device.memPitch == 2'147'483'647);
  CHECK(device.textureAlignment == 512);
  CHECK(device.unifiedAddressing == 1);
  CHECK(device.managedMemory == 1);
  CHECK(device.pageableMemoryAccess == 0);
  CHECK(attribute(cudaDevAttrClockRate) == 1'980'000);
  CHECK(attribute(cudaDevAttrMemoryClockRate) == 2'619'000);
  CHECK(attribute(cudaDevAttrComputeMode) == cudaComputeModeDefault);
  CHECK(attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio) == 2);
}

TEST_CASE("attributes repeat the properties") {
  const cudaDeviceProp device = properties();
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == device.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMaxBlockDimZ) == device.maxThreadsDim[2]);
  CHECK(attribute(cudaDevAttrMaxGridDimX) == device.maxGridSize[0]);
  CHECK(attribute(cudaDevAttrMaxGridDimY) == device.maxGridSize[1]);
  CHECK(attribute(cudaDevAttrWarpSize) == device.warpSize);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == device.multiProcessorCount);
  CHECK(attribute(cudaDevAttrL2CacheSize) == device.l2CacheSize);
  CHECK(attribute(cudaDevAttrGlobalMemoryBusWidth) == device.memoryBusWidth);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == device.major);
  CHECK(attribute(cudaDevAttrComputeCapabilityMinor) == device.minor);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlock) ==
        static_cast<int>(device.sharedMemPerBlock));
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
        static_cast<int>(device.sharedMemPerBlockOptin));
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) ==
        static_cast<int>(device.sharedMemPerMultiprocessor));
  CHECK(attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == device.maxThreadsPerMultiProcessor);
  CHECK(attribute(cudaDevAttrMaxBlocksPerMultiprocessor) == device.maxBlocksPerMultiProcessor);
  CHECK(attribute(cudaDevAttrCooperativeLaunch) == device.cooperativeLaunch);
  CHECK(attribute(cudaDevAttrManagedMemory) == device.managedMemory);
  CHECK(attribute(cudaDevAttrPciBusId) == device.pciBusID);
}

TEST_CASE("limits are kept, within the device's bounds") {
  std::size_t value = 0;
  CHECK(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 1024);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 2048) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1024) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 129) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 30) == cudaErrorInvalidValue);
  for (const auto& [set, found] : {std::pair<std::size_t, std::size_t>{0, 32}, {100, 100}}) {
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, set) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
    CHECK(value == found);
  }
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth) == cudaErrorUnsupportedLimit);
}

TEST_CASE("cache preference") {
  cudaFuncCache preference = cudaFuncCachePreferEqual;
  CHECK(cudaDeviceGetCacheConfig(&preference) == cudaSuccess);
  CHECK(preference == cudaFuncCachePreferNone);
  CHECK(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaDeviceGetCacheConfig(&preference) == cudaSuccess);
  CHECK(preference == cudaFuncCachePreferL1);
  CHECK(cudaDeviceGetCacheConfig(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);
}

TEST_CASE("device flags") {
  unsigned flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == (cudaDeviceScheduleSpin | cudaDeviceMapHost));
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == (cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  CHECK(cudaSetDeviceFlags(0x3) == cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(0x100) == cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleAuto) == cudaSuccess);
}

TEST_CASE("the PCI address") {
  char text[32] = {};
  int device = 99;
  CHECK(cudaDeviceGetPCIBusId(text, sizeof(text), 0) == cudaSuccess);
  CHECK(std::strlen(text) == std::strlen("0000:00:00.0"));
  CHECK(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetPCIBusId(text, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(nullptr, 32, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(text, sizeof(text), 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "zzz") == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.0") == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("a single device has no peers") {
  int can = 99;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceCanAccessPeer(nullptr, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0) ==
        cudaErrorInvalidDevice);
}

TEST_CASE("versions are CUDA 13.0's") {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(version == CUDART_VERSION);
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version >= 13000);
  CHECK(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDriverGetVersion(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("reset frees everything") {
  char* pointer = nullptr;
  std::size_t before = 0;
  std::size_t after = 0;
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&before, nullptr) == cudaSuccess);
  REQUIRE(cudaMalloc(&pointer, std::size_t{64} << 20) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, nullptr) == cudaSuccess);
  CHECK(after == before);
  CHECK(cudaFree(pointer) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("profiler calls do nothing") {
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
}
