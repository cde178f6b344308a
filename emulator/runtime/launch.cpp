// Launches by address, and their attributes.
#include "runtime/launch.hpp"

#include "cuda_runtime_api.h"
#include "emulator/launch.h"
#include "runtime.hpp"
#include "runtime/kernel.hpp"

using namespace emu;
using runtime::api_call;

namespace {

cudaError_t read_attribute(const cudaLaunchAttribute& attribute, Configuration& launch) {
  const cudaLaunchAttributeValue& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      launch.cooperative = value.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      launch.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return cudaSuccess;

    // Hints, and orders that a device may relax for speed: kernels run one after the other here, so
    // a kernel that waits for the previous one finds it completed.
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return cudaSuccess;

    case cudaLaunchAttributeProgrammaticEvent:
      unsupported("cudaLaunchAttributeProgrammaticEvent");
    case cudaLaunchAttributeLaunchCompletionEvent:
      unsupported("cudaLaunchAttributeLaunchCompletionEvent");
    case cudaLaunchAttributePreferredClusterDimension:
      unsupported("cudaLaunchAttributePreferredClusterDimension");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      unsupported("cudaLaunchAttributeDeviceUpdatableKernelNode");
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t runtime::launch(const void* kernel, Configuration configuration, void** arguments) {
  if (const cudaError_t error = runtime::check_kernel(kernel); error != cudaSuccess) return error;
  // A launch sets this thread's last error only if it fails.
  const cudaError_t before = runtime::exchange_last_error(cudaSuccess);
  configuration.call_site = runtime::CallReport::call_site();
  configuration.call = runtime::CallReport::call();
  configuration.arguments = arguments;
  push_launch(configuration);
  if (!call_registered(kernel, arguments)) unsupported("an unknown signature");
  const cudaError_t error = runtime::exchange_last_error(before);
  if (error != cudaSuccess) runtime::CallReport::mark_reported();  // the launch has reported it
  return error;
}

cudaError_t runtime::read_launch(const cudaLaunchConfig_t& config, Configuration& launch) {
  launch.grid = config.gridDim;
  launch.block = config.blockDim;
  launch.dynamic_shared_bytes = config.dynamicSmemBytes;
  launch.stream = config.stream;
  if (config.attrs == nullptr && config.numAttrs != 0) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (const cudaError_t error = read_attribute(config.attrs[i], launch); error != cudaSuccess)
      return error;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  return api_call([&] {
    return runtime::launch(
        function,
        {.grid = grid, .block = block, .dynamic_shared_bytes = sharedBytes, .stream = stream},
        arguments);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t sharedBytes, cudaStream_t stream) {
  return api_call([&] {
    return runtime::launch(function,
                           {.grid = grid,
                            .block = block,
                            .dynamic_shared_bytes = sharedBytes,
                            .stream = stream,
                            .cooperative = true},
                           arguments);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return api_call([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    Configuration configuration;
    if (const cudaError_t error = runtime::read_launch(*config, configuration);
        error != cudaSuccess)
      return error;
    return runtime::launch(function, configuration, arguments);
  });
}
