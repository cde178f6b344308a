// Properties of a kernel, and the settings that a program may change.
#include "runtime/kernel.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cuda_runtime_api.h"
#include "emulator/launch.h"
#include "emulator/occupancy.h"
#include "engine/engine.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::api_call_anywhere;
using runtime::check_kernel;
using runtime::KernelSettings;
using runtime::settings_of;

namespace {

constexpr int kArchitecture = 90;

std::mutex settings_mutex;
std::unordered_map<const void*, KernelSettings>& all_settings() {
  static auto& settings = *new std::unordered_map<const void*, KernelSettings>;
  return settings;
}

/// Returns whether the address is in the code of the program or of one of its libraries.
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

/// Sets an attribute for cudaFuncSetAttribute; returns an error for an invalid attribute or value.
cudaError_t set_attribute(KernelSettings& settings, const void* kernel, cudaFuncAttribute attribute,
                          int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || static_cast<std::size_t>(value) + static_shared_bytes(kernel) >
                           device_properties().sharedMemPerBlockOptin)
        return cudaErrorInvalidValue;
      settings.max_dynamic_shared = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
        return cudaErrorInvalidValue;
      settings.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth: {
      if (value < 0) return cudaErrorInvalidValue;
      if (bounds_of(kernel).cluster.x != 0)
        return cudaErrorNotPermitted;  // it has __cluster_dims__
      uint3& cluster = settings.required_cluster;
      (attribute == cudaFuncAttributeRequiredClusterWidth    ? cluster.x
       : attribute == cudaFuncAttributeRequiredClusterHeight ? cluster.y
                                                             : cluster.z) =
          static_cast<unsigned>(value);
      return cudaSuccess;
    }
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      settings.nonportable_clusters = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      if (value < cudaClusterSchedulingPolicyDefault ||
          value > cudaClusterSchedulingPolicyLoadBalancing)
        return cudaErrorInvalidValue;
      settings.cluster_policy = value;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

KernelSettings runtime::settings_of(const void* kernel) {
  const std::lock_guard lock(settings_mutex);
  const auto found = all_settings().find(kernel);
  return found == all_settings().end() ? KernelSettings{} : found->second;
}

cudaError_t runtime::check_kernel(const void* kernel) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (sticky_error() != cudaSuccess) return sticky_error();
  return is_code(kernel) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

std::size_t emu::allowed_dynamic_shared(const void* kernel) {
  const KernelSettings settings = settings_of(kernel);
  if (settings.max_dynamic_shared >= 0) {
    return static_cast<std::size_t>(settings.max_dynamic_shared);
  }
  const std::size_t limit = device_properties().sharedMemPerBlock;
  return limit - std::min(limit, static_shared_bytes(kernel));
}

uint3 emu::required_cluster(const void* kernel, uint3 of_definition) {
  return of_definition.x != 0 ? of_definition : settings_of(kernel).required_cluster;
}

unsigned emu::most_blocks_of_cluster(const void* kernel) {
  return settings_of(kernel).nonportable_clusters ? kMostBlocksOfCluster
                                                  : kMostBlocksOfPortableCluster;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call_anywhere([&] {
    if (attributes == nullptr || (function == nullptr && in_kernel())) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_bytes(function);
    attributes->maxThreadsPerBlock = std::min(device_properties().maxThreadsPerBlock,
                                              static_cast<int>(bounds_of(function).max_threads));
    attributes->numRegs = runtime::kRegistersPerThread;
    attributes->ptxVersion = kArchitecture;
    attributes->binaryVersion = kArchitecture;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(allowed_dynamic_shared(function));
    const KernelSettings settings = settings_of(function);
    const uint3 of_definition = bounds_of(function).cluster;
    const uint3 cluster = required_cluster(function, of_definition);
    attributes->preferredShmemCarveout = settings.carveout;
    attributes->clusterDimMustBeSet = of_definition.x != 0;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
    attributes->clusterSchedulingPolicyPreference = settings.cluster_policy;
    attributes->nonPortableClusterSizeAllowed = settings.nonportable_clusters;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&] {
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    const std::lock_guard lock(settings_mutex);
    return set_attribute(all_settings()[function], function, attribute, value);
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
