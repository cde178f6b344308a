// Kernels: their attributes, launches, occupancy.
#include <algorithm>
#include <cstring>
#include <vector>

#include "call.hpp"
#include "cuda_runtime.h"
#include "engine/engine.hpp"
#include "launch.hpp"
#include "module.hpp"

using namespace emu;
using namespace emu::driver;

namespace {

constexpr std::size_t kMostParameterBytes = 32764;

/// Returns `body(function)` for a CUfunction or a CUkernel.
template <class Handle, class F>
CUresult with_function(Handle handle, F&& body) {
  const CUfunc_st* const function = function_of(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return result_of(body(*function));
}

/// Returns the size of a module's `__constant__` variables, in bytes.
std::size_t constant_bytes(const CUmod_st& module) {
  std::size_t bytes = 0;
  for (const ModuleVariable& variable : module.object.variables)
    if (variable.space == Space::constant) bytes += variable.symbol.bytes;
  return bytes;
}

CUresult attribute_of(const CUfunc_st& function, CUfunction_attribute attribute, int* value) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes all;
  if (const cudaError_t error = cudaFuncGetAttributes(&all, function.kernel); error != cudaSuccess)
    return result_of(error);
  const auto number = [](std::size_t bytes) { return static_cast<int>(bytes); };
  const int values[] = {all.maxThreadsPerBlock,
                        number(all.sharedSizeBytes),
                        number(constant_bytes(*function.module)),
                        number(all.localSizeBytes),
                        all.numRegs,
                        all.ptxVersion,
                        all.binaryVersion,
                        all.cacheModeCA,
                        all.maxDynamicSharedSizeBytes,
                        all.preferredShmemCarveout,
                        all.clusterDimMustBeSet,
                        all.requiredClusterWidth,
                        all.requiredClusterHeight,
                        all.requiredClusterDepth,
                        all.nonPortableClusterSizeAllowed,
                        all.clusterSchedulingPolicyPreference};
  static_assert(std::size(values) == CU_FUNC_ATTRIBUTE_MAX);
  if (attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  *value = values[attribute];
  return CUDA_SUCCESS;
}

cudaError_t set_attribute(const CUfunc_st& function, CUfunction_attribute attribute, int value) {
  return cudaFuncSetAttribute(function.kernel, static_cast<cudaFuncAttribute>(attribute), value);
}

CUresult parameter_of(const CUfunc_st& function, std::size_t index, std::size_t* offset,
                      std::size_t* bytes) {
  if (offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (index >= function.record->parameter_count) return CUDA_ERROR_INVALID_VALUE;
  *offset = function.record->parameters[index].offset;
  if (bytes != nullptr) *bytes = function.record->parameters[index].bytes;
  return CUDA_SUCCESS;
}

/// Reads from `extra` where the buffer of arguments is, and its size in bytes.
CUresult read_extra(void** extra, char** buffer, std::size_t* bytes) {
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      *buffer = static_cast<char*>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      *bytes = extra[1] ? *static_cast<const std::size_t*>(extra[1]) : 0;
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  return *buffer == nullptr || *bytes > kMostParameterBytes ? CUDA_ERROR_INVALID_VALUE
                                                            : CUDA_SUCCESS;
}

CUresult launch(CUfunction handle, const Configuration& configuration, void** parameters,
                void** extra) {
  return with_function(handle, [&](const CUfunc_st& function) {
    Arguments arguments;
    const CUresult error = arguments.read(function, parameters, extra);
    if (error != CUDA_SUCCESS) return error;
    return result_of(runtime::launch(function.kernel, configuration, arguments.addresses()));
  });
}

Configuration configuration_of(dim3 grid, dim3 block, unsigned shared_bytes, CUstream stream) {
  Configuration configuration;
  configuration.grid = grid;
  configuration.block = block;
  configuration.dynamic_shared_bytes = shared_bytes;
  configuration.stream = stream;
  return configuration;
}

/// Converts a launch's configuration into the runtime's form. Attributes have the same numbers and
/// layout in both.
cudaLaunchConfig_t config_of(const CUlaunchConfig& config) {
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  cudaLaunchConfig_t result{};
  result.gridDim = {config.gridDimX, config.gridDimY, config.gridDimZ};
  result.blockDim = {config.blockDimX, config.blockDimY, config.blockDimZ};
  result.dynamicSmemBytes = config.sharedMemBytes;
  result.stream = config.hStream;
  result.attrs = reinterpret_cast<cudaLaunchAttribute*>(config.attrs);
  result.numAttrs = config.numAttrs;
  return result;
}

/// Finds the block size that keeps most threads resident, by the runtime's function.
CUresult potential_block_size(int* least_grid, int* threads, const CUfunc_st& function,
                              CUoccupancyB2DSize dynamic_bytes_of, std::size_t dynamic_bytes,
                              int most_threads, unsigned flags) {
  if (least_grid == nullptr || threads == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto bytes_of = [&](int size) {
    return dynamic_bytes_of ? dynamic_bytes_of(size) : dynamic_bytes;
  };
  return result_of(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      least_grid, threads, function.kernel, bytes_of, most_threads, flags));
}

}  // namespace

CUresult Arguments::read(const CUfunc_st& function, void** parameters, void** extra) {
  const std::size_t count = function.record->parameter_count;
  if (parameters != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (parameters != nullptr || count == 0) {
    addresses_ = parameters;
    return CUDA_SUCCESS;
  }
  if (extra == nullptr) return CUDA_ERROR_INVALID_VALUE;
  char* buffer = nullptr;
  std::size_t bytes = 0;
  if (const CUresult error = read_extra(extra, &buffer, &bytes); error != CUDA_SUCCESS)
    return error;
  const ParameterPlace& last = function.record->parameters[count - 1];
  const std::size_t needed = last.offset + last.bytes;
  if (bytes < needed) return CUDA_ERROR_INVALID_VALUE;
  constexpr std::size_t kPadding = 8;
  if (bytes >= needed + kPadding) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  for (std::size_t i = 0; i < count; ++i)
    in_buffer_.push_back(buffer + function.record->parameters[i].offset);
  addresses_ = in_buffer_.data();
  return CUDA_SUCCESS;
}

// ------------------------------------------------------------------------------------- attributes

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return call([&] {
    return with_function(
        function, [&](const CUfunc_st& known) { return attribute_of(known, attribute, value); });
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return call([&] {
    return with_function(
        function, [&](const CUfunc_st& known) { return set_attribute(known, attribute, value); });
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaFuncSetCacheConfig(known.kernel, static_cast<cudaFuncCache>(config));
    });
  });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaFuncSetSharedMemConfig(known.kernel, static_cast<cudaSharedMemConfig>(config));
    });
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return call([&] {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return with_function(function, [&](const CUfunc_st& known) {
      *module = known.module;
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return call([&] {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return with_function(function, [&](const CUfunc_st& known) {
      *name = known.name.c_str();
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return parameter_of(known, index, offset, bytes);
    });
  });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return call([&] {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return with_function(function, [&](const CUfunc_st&) {
      *state = CU_FUNCTION_LOADING_STATE_LOADED;
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return call(
      [&] { return with_function(function, [](const CUfunc_st&) { return CUDA_SUCCESS; }); });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device) {
  return call<Needs::driver>([&] {
    if (!runtime::valid_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return with_function(
        kernel, [&](const CUfunc_st& known) { return attribute_of(known, attribute, value); });
  });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device) {
  return call<Needs::driver>([&] {
    if (!runtime::valid_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return with_function(
        kernel, [&](const CUfunc_st& known) { return set_attribute(known, attribute, value); });
  });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return call<Needs::driver>([&] {
    if (!runtime::valid_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return with_function(kernel, [&](const CUfunc_st& known) {
      return cudaFuncSetCacheConfig(known.kernel, static_cast<cudaFuncCache>(config));
    });
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return call<Needs::driver>([&] {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return with_function(kernel, [&](const CUfunc_st& known) {
      *name = known.name.c_str();
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return call<Needs::driver>([&] {
    return with_function(
        kernel, [&](const CUfunc_st& known) { return parameter_of(known, index, offset, bytes); });
  });
}

// --------------------------------------------------------------------------------------- launches

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra) {
  return call([&] {
    const Configuration configuration = configuration_of(
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream);
    return launch(function, configuration, parameters, extra);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** parameters) {
  return call([&] {
    Configuration configuration = configuration_of(
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream);
    configuration.cooperative = true;
    return launch(function, configuration, parameters, nullptr);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Configuration configuration;
    if (const cudaError_t error = runtime::read_launch(config_of(*config), configuration);
        error != cudaSuccess)
      return result_of(error);
    return launch(function, configuration, parameters, extra);
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return call([&] { return cudaLaunchHostFunc(stream, function, data); });
}

// -------------------------------------------------------------------------------------- occupancy

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t dynamic_bytes) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, known.kernel, threads,
                                                           dynamic_bytes);
    });
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, size_t dynamic_bytes,
                                                              unsigned int flags) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, known.kernel, threads,
                                                                    dynamic_bytes, flags);
    });
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* threads, CUfunction function,
                                          CUoccupancyB2DSize dynamic_bytes_of, size_t dynamic_bytes,
                                          int most_threads) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return potential_block_size(least_grid, threads, known, dynamic_bytes_of, dynamic_bytes,
                                  most_threads, cudaOccupancyDefault);
    });
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* threads,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize dynamic_bytes_of,
                                                   size_t dynamic_bytes, int most_threads,
                                                   unsigned int flags) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return potential_block_size(least_grid, threads, known, dynamic_bytes_of, dynamic_bytes,
                                  most_threads, flags);
    });
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
  return call([&] {
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, known.kernel, blocks, threads);
    });
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction function,
                                            const CUlaunchConfig* config) {
  return call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t asked = config_of(*config);
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaOccupancyMaxPotentialClusterSize(blocks, known.kernel, &asked);
    });
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* config) {
  return call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t asked = config_of(*config);
    return with_function(function, [&](const CUfunc_st& known) {
      return cudaOccupancyMaxActiveClusters(clusters, known.kernel, &asked);
    });
  });
}
