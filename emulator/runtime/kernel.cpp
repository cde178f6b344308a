// Launches by address, what is known of a kernel, and occupancy.
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cuda_runtime_api.h"
#include "emulator/launch.h"
#include "engine/engine.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;

namespace {

/// No compiler for a GPU has seen the kernel: what most kernels of this course need, and what lets
/// every multiprocessor be full.
constexpr int kRegistersPerThread = 32;
constexpr int kRegisterUnit = 256;  ///< registers are given to a warp in units of this
constexpr int kArchitecture = 90;
constexpr int kWarpLanes = 32;
constexpr std::size_t kSharedUnit = 128;  ///< shared memory is given to a block in units of this

/// What cudaFuncSetAttribute has changed of a kernel.
struct Settings {
  int max_dynamic_shared = -1;  ///< negative: never set
  int carveout = cudaSharedmemCarveoutDefault;
};

std::mutex settings_mutex;
std::unordered_map<const void*, Settings>& all_settings() {
  static auto& settings = *new std::unordered_map<const void*, Settings>;
  return settings;
}
Settings settings_of(const void* kernel) {
  const std::lock_guard lock(settings_mutex);
  const auto found = all_settings().find(kernel);
  return found == all_settings().end() ? Settings{} : found->second;
}

/// Whether the address is in the text of the program or one of its libraries.
bool is_code(const void* address) {
  const auto in_text = [](dl_phdr_info* module, std::size_t, void* wanted) -> int {
    const auto byte = reinterpret_cast<std::uintptr_t>(*static_cast<const void**>(wanted));
    return std::any_of(module->dlpi_phdr, module->dlpi_phdr + module->dlpi_phnum,
                       [&](const auto& segment) {
                         return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 &&
                                byte - (module->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
                       });
  };
  return dl_iterate_phdr(in_text, &address) != 0;
}

cudaError_t check_kernel(const void* kernel) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (sticky_error() != cudaSuccess) return sticky_error();
  return is_code(kernel) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Blocks of `threads` threads and `dynamic_shared` bytes that one multiprocessor holds at a time.
int blocks_per_multiprocessor(const void* kernel, int threads, std::size_t dynamic_shared) {
  const cudaDeviceProp& device = device_properties();
  if (threads > device.maxThreadsPerBlock || dynamic_shared > allowed_dynamic_shared(kernel)) {
    return 0;
  }
  const int warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const int by_threads = device.maxThreadsPerMultiProcessor / kWarpLanes / warps;
  const int registers_per_warp =
      static_cast<int>(round_up(kRegistersPerThread * kWarpLanes, kRegisterUnit));
  const int by_registers = device.regsPerMultiprocessor / registers_per_warp / warps;
  const std::size_t shared = round_up(static_shared_bytes(kernel) + dynamic_shared, kSharedUnit) +
                             device.reservedSharedMemPerBlock;
  const int by_shared = static_cast<int>(device.sharedMemPerMultiprocessor / shared);
  return std::min({by_threads, by_registers, by_shared, device.maxBlocksPerMultiProcessor});
}

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                   std::size_t dynamic_shared, cudaStream_t stream) {
  if (const cudaError_t error = check_kernel(kernel); error != cudaSuccess) return error;
  // A launch leaves its error as this thread's last one; without an error the one before stays.
  const cudaError_t before = runtime::exchange_last_error(cudaSuccess);
  push_launch({.grid = grid,
               .block = block,
               .dynamic_shared_bytes = dynamic_shared,
               .stream = stream,
               .call_site = runtime::CallReport::call_site()});
  if (!call_registered(kernel, arguments)) unsupported("an unknown signature");
  const cudaError_t error = runtime::exchange_last_error(before);
  if (error != cudaSuccess) runtime::CallReport::is_told();  // of the launch
  return error;
}

void refuse_attributes(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0) {
      unsupported("cudaLaunchAttributeCooperative");
    }
    if (attribute.id == cudaLaunchAttributeClusterDimension &&
        cluster.x * cluster.y * cluster.z > 1) {
      unsupported("cudaLaunchAttributeClusterDimension");
    }
  }
}

cudaError_t occupancy(int* blocks, const void* kernel, int threads, std::size_t dynamic_shared,
                      unsigned flags) {
  if (blocks == nullptr || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) {
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t error = check_kernel(kernel); error != cudaSuccess) return error;
  *blocks = blocks_per_multiprocessor(kernel, threads, dynamic_shared);
  return cudaSuccess;
}

}  // namespace

std::size_t emu::allowed_dynamic_shared(const void* kernel) {
  const Settings settings = settings_of(kernel);
  if (settings.max_dynamic_shared >= 0) {
    return static_cast<std::size_t>(settings.max_dynamic_shared);
  }
  const std::size_t limit = device_properties().sharedMemPerBlock;
  return limit - std::min(limit, static_shared_bytes(kernel));
}

// ------------------------------------------------------------------------------------------
// launches

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  return api_call([&] { return launch(function, grid, block, arguments, sharedBytes, stream); });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return api_call([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    refuse_attributes(*config);
    return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream);
  });
}

// ----------------------------------------------------------------------------------------
// attributes

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_bytes(function);
    attributes->maxThreadsPerBlock = device_properties().maxThreadsPerBlock;
    attributes->numRegs = kRegistersPerThread;
    attributes->ptxVersion = kArchitecture;
    attributes->binaryVersion = kArchitecture;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(allowed_dynamic_shared(function));
    attributes->preferredShmemCarveout = settings_of(function).carveout;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&] {
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      const std::size_t limit = device_properties().sharedMemPerBlockOptin;
      if (value < 0 || static_cast<std::size_t>(value) + static_shared_bytes(function) > limit) {
        return cudaErrorInvalidValue;
      }
      const std::lock_guard lock(settings_mutex);
      all_settings()[function].max_dynamic_shared = value;
      return cudaSuccess;
    }
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) {
        return cudaErrorInvalidValue;
      }
      const std::lock_guard lock(settings_mutex);
      all_settings()[function].carveout = value;
      return cudaSuccess;
    }
    if (attribute >= cudaFuncAttributeClusterDimMustBeSet && attribute < cudaFuncAttributeMax) {
      unsupported("cudaFuncSetAttribute");
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache preference) {
  return api_call([&] {
    if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual) {
      return cudaErrorInvalidValue;
    }
    return check_kernel(function);
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return api_call([&] {
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
      return cudaErrorInvalidValue;
    }
    return check_kernel(function);
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api_call([&] {
    if (name == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    static std::mutex names_mutex;
    static auto& names = *new std::unordered_map<const void*, std::string>;
    const std::lock_guard lock(names_mutex);
    std::string& mangled = names[function];
    if (mangled.empty()) mangled = "_Z" + encoding_of(function);
    *name = mangled.c_str();
    return cudaSuccess;
  });
}

// -----------------------------------------------------------------------------------------
// occupancy

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int blockSize,
                                                          size_t dynamicSharedBytes) {
  return api_call([&] {
    return occupancy(blocks, function, blockSize, dynamicSharedBytes, cudaOccupancyDefault);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int blockSize,
                                                                   size_t dynamicSharedBytes,
                                                                   unsigned int flags) {
  return api_call(
      [&] { return occupancy(blocks, function, blockSize, dynamicSharedBytes, flags); });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int blockSize) {
  return api_call([&] {
    if (bytes == nullptr || blocks <= 0 || blockSize <= 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    if (blocks > blocks_per_multiprocessor(function, blockSize, 0)) return cudaErrorInvalidValue;
    const std::size_t share =
        device_properties().sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
    const std::size_t fixed = static_shared_bytes(function);
    *bytes = std::min(share - std::min(share, fixed), allowed_dynamic_shared(function));
    return cudaSuccess;
  });
}
