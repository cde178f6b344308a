// The only device: properties, limits and settings.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "array.hpp"
#include "capture.hpp"
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"
#include "device/texture.hpp"
#include "engine/check/check_host.hpp"
#include "engine/check/check_leaks.hpp"
#include "engine/run/queue.hpp"
#include "graph.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"
#include "units.hpp"

namespace emu {

namespace {

// An H100 SXM5: compute capability 9.0.
constexpr int kClockKiloHertz = kClockMegahertz * 1000;
constexpr int kMemoryClockKiloHertz = 2'619'000;
constexpr int kSingleToDoubleRatio = 2;
constexpr int kMemSyncDomains = 4;
constexpr int kMaxTexture1DLinear = 1 << 28;
constexpr int kDriverVersion = 13000;
constexpr int kLowestPriority = 0;
constexpr int kHighestPriority = -5;
constexpr unsigned kScheduleFlags = cudaDeviceScheduleMask;
constexpr unsigned kKnownDeviceFlags = cudaDeviceMask;

template <std::size_t N>
void assign(int (&field)[N], const std::array<int, N>& values) {
  std::copy(values.begin(), values.end(), field);
}

/// Returns the properties of an H100 SXM5 with 80 GB, as CUDA 13.0 reports them. Features that are
/// not emulated (IPC, peer-to-peer) are reported as missing.
cudaDeviceProp make_properties() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "Warp by Warp emulator (H100-like)");
  std::memcpy(p.uuid.bytes, "warp-by-warp-emu", sizeof(p.uuid.bytes));
  p.totalGlobalMem = 85'017'493'504;
  p.sharedMemPerBlock = 48 * kKiB;
  p.regsPerBlock = 65536;
  p.warpSize = 32;
  p.memPitch = std::numeric_limits<int>::max();
  p.maxThreadsPerBlock = 1024;
  assign<3>(p.maxThreadsDim, {1024, 1024, 64});
  assign<3>(p.maxGridSize, {std::numeric_limits<int>::max(), 65535, 65535});
  p.totalConstMem = 64 * kKiB;
  p.major = 9;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(kMultiprocessors);
  p.canMapHostMemory = 1;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  assign<2>(p.maxTexture2D, {131072, 65536});
  assign<2>(p.maxTexture2DMipmap, {32768, 32768});
  assign<3>(p.maxTexture2DLinear, {131072, 65000, 2097120});
  assign<2>(p.maxTexture2DGather, {32768, 32768});
  assign<3>(p.maxTexture3D, {16384, 16384, 16384});
  assign<3>(p.maxTexture3DAlt, {8192, 8192, 32768});
  p.maxTextureCubemap = 32768;
  assign<2>(p.maxTexture1DLayered, {32768, 2048});
  assign<3>(p.maxTexture2DLayered, {32768, 32768, 2048});
  assign<2>(p.maxTextureCubemapLayered, {32768, 2046});
  p.maxSurface1D = 32768;
  assign<2>(p.maxSurface2D, {131072, 65536});
  assign<3>(p.maxSurface3D, {16384, 16384, 16384});
  assign<2>(p.maxSurface1DLayered, {32768, 2048});
  assign<3>(p.maxSurface2DLayered, {32768, 32768, 2048});
  p.maxSurfaceCubemap = 32768;
  assign<2>(p.maxSurfaceCubemapLayered, {32768, 2046});
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.pciBusID = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 * kMiB;
  p.persistingL2CacheMaxSize = 32'768'000;
  p.maxThreadsPerMultiProcessor = 2048;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = 228 * kKiB;
  p.regsPerMultiprocessor = 65536;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.cooperativeLaunch = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.sharedMemPerBlockOptin = 227 * kKiB;
  p.maxBlocksPerMultiProcessor = 32;
  p.accessPolicyMaxWindowSize = 128 * kMiB;
  p.reservedSharedMemPerBlock = 1 * kKiB;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.memoryPoolsSupported = 1;
  p.clusterLaunch = 1;
  p.deviceNumaId = -1;
  return p;
}

struct Attribute {
  cudaDeviceAttr id;
  long long value;
};

/// Attributes that are not 0; most repeat a property.
auto make_attributes(const cudaDeviceProp& p) {
  const auto size = [](std::size_t bytes) { return static_cast<long long>(bytes); };
  return std::to_array<Attribute>({
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, size(p.sharedMemPerBlock)},
      {cudaDevAttrTotalConstantMemory, size(p.totalConstMem)},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxPitch, size(p.memPitch)},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, kClockKiloHertz},
      {cudaDevAttrTextureAlignment, size(p.textureAlignment)},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrIntegrated, p.integrated},
      {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
      {cudaDevAttrComputeMode, cudaComputeModeDefault},
      {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
      {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
      {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
      {cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredHeight, p.maxTexture2DLayered[1]},
      {cudaDevAttrMaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]},
      {cudaDevAttrSurfaceAlignment, size(p.surfaceAlignment)},
      {cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {cudaDevAttrEccEnabled, p.ECCEnabled},
      {cudaDevAttrPciBusId, p.pciBusID},
      {cudaDevAttrPciDeviceId, p.pciDeviceID},
      {cudaDevAttrMemoryClockRate, kMemoryClockKiloHertz},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrMaxTexture1DLayeredWidth, p.maxTexture1DLayered[0]},
      {cudaDevAttrMaxTexture1DLayeredLayers, p.maxTexture1DLayered[1]},
      {cudaDevAttrMaxTexture2DGatherWidth, p.maxTexture2DGather[0]},
      {cudaDevAttrMaxTexture2DGatherHeight, p.maxTexture2DGather[1]},
      {cudaDevAttrMaxTexture3DWidthAlt, p.maxTexture3DAlt[0]},
      {cudaDevAttrMaxTexture3DHeightAlt, p.maxTexture3DAlt[1]},
      {cudaDevAttrMaxTexture3DDepthAlt, p.maxTexture3DAlt[2]},
      {cudaDevAttrPciDomainId, p.pciDomainID},
      {cudaDevAttrTexturePitchAlignment, size(p.texturePitchAlignment)},
      {cudaDevAttrMaxTextureCubemapWidth, p.maxTextureCubemap},
      {cudaDevAttrMaxTextureCubemapLayeredWidth, p.maxTextureCubemapLayered[0]},
      {cudaDevAttrMaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1]},
      {cudaDevAttrMaxSurface1DWidth, p.maxSurface1D},
      {cudaDevAttrMaxSurface2DWidth, p.maxSurface2D[0]},
      {cudaDevAttrMaxSurface2DHeight, p.maxSurface2D[1]},
      {cudaDevAttrMaxSurface3DWidth, p.maxSurface3D[0]},
      {cudaDevAttrMaxSurface3DHeight, p.maxSurface3D[1]},
      {cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]},
      {cudaDevAttrMaxSurface1DLayeredWidth, p.maxSurface1DLayered[0]},
      {cudaDevAttrMaxSurface1DLayeredLayers, p.maxSurface1DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredWidth, p.maxSurface2DLayered[0]},
      {cudaDevAttrMaxSurface2DLayeredHeight, p.maxSurface2DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]},
      {cudaDevAttrMaxSurfaceCubemapWidth, p.maxSurfaceCubemap},
      {cudaDevAttrMaxSurfaceCubemapLayeredWidth, p.maxSurfaceCubemapLayered[0]},
      {cudaDevAttrMaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1]},
      {cudaDevAttrMaxTexture1DLinearWidth, kMaxTexture1DLinear},
      {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear[0]},
      {cudaDevAttrMaxTexture2DLinearHeight, p.maxTexture2DLinear[1]},
      {cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]},
      {cudaDevAttrMaxTexture2DMipmappedWidth, p.maxTexture2DMipmap[0]},
      {cudaDevAttrMaxTexture2DMipmappedHeight, p.maxTexture2DMipmap[1]},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxTexture1DMipmappedWidth, p.maxTexture1DMipmap},
      {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, size(p.sharedMemPerMultiprocessor)},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, kSingleToDoubleRatio},
      {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
      {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
      {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrClusterLaunch, p.clusterLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, size(p.sharedMemPerBlockOptin)},
      {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
      {cudaDevAttrReservedSharedMemoryPerBlock, size(p.reservedSharedMemPerBlock)},
      {cudaDevAttrHostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported},
      {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
      {cudaDevAttrMemSyncDomainCount, kMemSyncDomains},
      {cudaDevAttrNumaConfig, p.deviceNumaConfig},
      {cudaDevAttrNumaId, p.deviceNumaId},
      {cudaDevAttrHostNumaId, p.hostNumaId},
  });
}

/// A limit, its default, the largest value that the device takes, and the least that it sets.
struct Limit {
  std::atomic<std::size_t> value;
  std::size_t most;
  std::size_t least = 0;
};
constexpr std::size_t kNoMost = std::numeric_limits<std::size_t>::max();

Limit* limit_of(cudaLimit limit) {
  constexpr std::size_t kStackBytes = 1024, kMostStackBytes = 512 * kKiB;
  constexpr std::size_t kPrintfBytes = 8'650'752, kHeapBytes = 8 * kMiB;
  constexpr std::size_t kPendingLaunches = 2048, kLeastPendingLaunches = 32;
  constexpr std::size_t kFetchBytes = 64, kMostFetchBytes = 128;
  constexpr std::size_t kPersistingBytes = 9'830'400, kMostPersistingBytes = 32'768'000;
  static Limit stack{kStackBytes, kMostStackBytes};
  static Limit printf_buffer{kPrintfBytes, kNoMost};
  static Limit heap{kHeapBytes, kNoMost};
  static Limit pending{kPendingLaunches, kNoMost, kLeastPendingLaunches};
  static Limit fetch{kFetchBytes, kMostFetchBytes};
  static Limit persisting{kPersistingBytes, kMostPersistingBytes};
  switch (limit) {
    case cudaLimitStackSize:
      return &stack;
    case cudaLimitPrintfFifoSize:
      return &printf_buffer;
    case cudaLimitMallocHeapSize:
      return &heap;
    case cudaLimitDevRuntimePendingLaunchCount:
      return &pending;
    case cudaLimitMaxL2FetchGranularity:
      return &fetch;
    case cudaLimitPersistingL2CacheSize:
      return &persisting;
    default:
      return nullptr;
  }
}

/// Returns the error for a limit. Devices since Volta cannot synchronise from device code.
cudaError_t limit_error(cudaLimit limit) {
  return limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
}

std::atomic<unsigned> device_flags{cudaDeviceMapHost};
std::atomic<cudaFuncCache> cache_preference{cudaFuncCachePreferNone};

bool valid_device_flags(unsigned flags) {
  const unsigned schedule = flags & kScheduleFlags;
  return (flags & ~kKnownDeviceFlags) == 0 && (schedule & (schedule - 1)) == 0;
}

}  // namespace

std::size_t runtime::kernels_heap_bytes() noexcept {
  return limit_of(cudaLimitMallocHeapSize)->value;
}

std::size_t most_pending_launches() noexcept {
  return limit_of(cudaLimitDevRuntimePendingLaunchCount)->value;
}

const cudaDeviceProp& device_properties() noexcept {
  static const cudaDeviceProp properties = make_properties();
  return properties;
}

}  // namespace emu

using namespace emu;
using runtime::api_call;
using runtime::api_call_anywhere;
using runtime::query_anywhere;
using runtime::valid_device;

cudaError_t cudaGetDeviceCount(int* count) {
  return query_anywhere([&] {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = runtime::kDeviceCount;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_call([&] {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    *properties = device_properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call_anywhere([&] {
    if (value == nullptr || attribute <= 0 || attribute >= cudaDevAttrMax) {
      return cudaErrorInvalidValue;
    }
    // In a kernel, a device tells of itself whatever the number.
    if (!valid_device(device) && !in_kernel()) return cudaErrorInvalidDevice;
    static const auto attributes = make_attributes(device_properties());
    const auto found =
        std::find_if(attributes.begin(), attributes.end(),
                     [&](const Attribute& candidate) { return candidate.id == attribute; });
    *value = found == attributes.end() ? 0 : static_cast<int>(found->value);
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return api_call([&] {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return api_call([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return cudaErrorInvalidValue;
    if ((flags & cudaInitDeviceFlagsAreValid) != 0) {
      if (!valid_device_flags(deviceFlags)) return cudaErrorInvalidValue;
      device_flags = deviceFlags | cudaDeviceMapHost;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return api_call([&] { return valid_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDevice(int* device) {
  return api_call_anywhere([&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api_call([&] {
    if (devices == nullptr) return count == 0 ? cudaSuccess : cudaErrorInvalidValue;
    return std::all_of(devices, devices + std::max(count, 0), valid_device)
               ? cudaSuccess
               : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api_call([&] {
    if (!valid_device_flags(flags)) return cudaErrorInvalidValue;
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return api_call([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = device_flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceReset() {
  return api_call([] {
    finish_all();
    note_host_waited();
    find_leaks();
    runtime::forget_arrays();
    remove_textures();
    runtime::release_everything();
    runtime::reset_pools();
    runtime::restore_variables();
    runtime::forget_captures();
    runtime::destroy_graphs();
    runtime::reset_graph_memory();
    runtime::destroy_streams_and_events();
    runtime::reset_errors();
    device_flags = cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return api_call([] {
    if (const cudaError_t error = runtime::refuse_call_in_any_capture(); error != cudaSuccess)
      return error;
    finish_all();
    note_host_waited();
    return sticky_error();
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    Limit* const known = limit_of(limit);
    if (known == nullptr) return limit_error(limit);
    if (value > known->most) return cudaErrorInvalidValue;
    known->value = std::max(value, known->least);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api_call_anywhere([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    const Limit* const known = limit_of(limit);
    if (known == nullptr) return limit_error(limit);
    *value = known->value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference) {
  return api_call([&] {
    if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual) {
      return cudaErrorInvalidValue;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    cache_preference = preference;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference) {
  return api_call_anywhere([&] {
    if (preference == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    *preference = cache_preference;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api_call([&] {
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
      return cudaErrorInvalidValue;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api_call_anywhere([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    *config = cudaSharedMemBankSizeFourByte;  // the only width since Kepler
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (leastPriority != nullptr) *leastPriority = kLowestPriority;
    if (greatestPriority != nullptr) *greatestPriority = kHighestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api_call([&] {
    if (text == nullptr || length <= 0) return cudaErrorInvalidValue;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    const cudaDeviceProp& properties = device_properties();
    char address[32];
    const int needed = std::snprintf(
        address, sizeof(address), "%04x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID),
        static_cast<unsigned>(properties.pciBusID), static_cast<unsigned>(properties.pciDeviceID));
    if (needed >= length) return cudaErrorInvalidValue;
    std::strcpy(text, address);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return api_call([&] {
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    // domain:bus:device.function, where domain and function are optional
    unsigned numbers[4] = {};
    const bool whole =
        std::sscanf(text, "%x:%x:%x.%x", &numbers[0], &numbers[1], &numbers[2], &numbers[3]) >= 3;
    if (!whole) {
      numbers[0] = 0;
      if (std::sscanf(text, "%x:%x.%x", &numbers[1], &numbers[2], &numbers[3]) < 2) {
        return cudaErrorInvalidValue;
      }
    }
    const cudaDeviceProp& properties = device_properties();
    if (numbers[0] != static_cast<unsigned>(properties.pciDomainID) ||
        numbers[1] != static_cast<unsigned>(properties.pciBusID) ||
        numbers[2] != static_cast<unsigned>(properties.pciDeviceID)) {
      return cudaErrorInvalidDevice;
    }
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return api_call([&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = kDriverVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return api_call_anywhere([&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    constexpr int kInKernel = 6000;  // as an H200 says, with CUDA 13.0
    *version = in_kernel() ? kInKernel : CUDART_VERSION;
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api_call([] { return sticky_error(); });
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccess, int device, int peerDevice) {
  return api_call([&] {
    if (canAccess == nullptr) return cudaErrorInvalidValue;
    if (!valid_device(device) || !valid_device(peerDevice)) return cudaErrorInvalidDevice;
    *canAccess = 0;  // a device is not its own peer
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return api_call([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    return valid_device(peerDevice) ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return api_call([&] {
    return valid_device(peerDevice) ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  return api_call([&] {
    // There are no two devices to query.
    return value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaProfilerStart() {
  return api_call([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return api_call([] { return cudaSuccess; });
}
