/// The CUDA 13.0 runtime API, C++ level: the C functions of cuda_runtime_api.h, overloads of them
/// that know types, and everything that device code may use without an include of its own.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#ifdef __cplusplus
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "emulator/device.h"
#include "emulator/device_library.h"
#include "emulator/for_cccl.h"
#include "emulator/launch.h"
#include "emulator/rounds.h"
#include "host_defines.h"
#include "vector_functions.h"

namespace emu::detail {

/// Copies for a symbol whose size the caller knows; `waits`: until they are made.
cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits);
cudaError_t copy_from_symbol(void* target, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool waits);
cudaError_t symbol_size(std::size_t* bytes, const void* symbol, std::size_t symbol_bytes);
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t symbol_bytes);

/// The address that the runtime knows a kernel by. A pointer to a function also tells its
/// signature, which a launch by address needs.
template <class T>
const void* kernel_address(T* kernel) {
  if constexpr (std::is_function_v<T>) {
    return reinterpret_cast<const void*>(::emu::kernel_handle(kernel));
  } else {
    return static_cast<const void*>(kernel);
  }
}

}  // namespace emu::detail

// ---------------------------------------------------------------------------------------- memory

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

inline cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}

template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

inline cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}

template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

// --------------------------------------------------------------------------------------- symbols

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return emu::detail::copy_to_symbol(__builtin_addressof(symbol), sizeof(T), source, bytes, offset,
                                     kind, nullptr, true);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return emu::detail::copy_to_symbol(__builtin_addressof(symbol), sizeof(T), source, bytes, offset,
                                     kind, stream, false);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* target, const T& symbol, size_t bytes,
                                        size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return emu::detail::copy_from_symbol(target, __builtin_addressof(symbol), sizeof(T), bytes,
                                       offset, kind, nullptr, true);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* target, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return emu::detail::copy_from_symbol(target, __builtin_addressof(symbol), sizeof(T), bytes,
                                       offset, kind, stream, false);
}

template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return emu::detail::symbol_address(pointer, __builtin_addressof(symbol), sizeof(T));
}

template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return emu::detail::symbol_size(bytes, __builtin_addressof(symbol), sizeof(T));
}

// ------------------------------------------------------------------------ symbols and graphs

namespace emu::detail {
/// The address of a variable, whose size the runtime learns.
template <class T>
inline const void* known_symbol(const T& symbol) {
  void* address = nullptr;
  return symbol_address(&address, __builtin_addressof(symbol), sizeof(T)) == cudaSuccess ? address
                                                                                         : nullptr;
}
}  // namespace emu::detail

template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  const T& symbol, const void* source, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count,
                                          emu::detail::known_symbol(symbol), source, bytes, offset,
                                          kind);
}

template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies,
                                                    size_t count, void* target, const T& symbol,
                                                    size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, target,
                                            emu::detail::known_symbol(symbol), bytes, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                        const void* source, size_t bytes,
                                                        size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, emu::detail::known_symbol(symbol), source,
                                                bytes, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* target,
                                                          const T& symbol, size_t bytes,
                                                          size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, target, emu::detail::known_symbol(symbol),
                                                  bytes, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                            cudaGraphNode_t node, const T& symbol,
                                                            const void* source, size_t bytes,
                                                            size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(
      executable, node, emu::detail::known_symbol(symbol), source, bytes, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                              cudaGraphNode_t node, void* target,
                                                              const T& symbol, size_t bytes,
                                                              size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      executable, node, target, emu::detail::known_symbol(symbol), bytes, offset, kind);
}

// ---------------------------------------------------------------------------- events and kernels

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(emu::detail::kernel_address(kernel), grid, block, arguments,
                            sharedBytes, stream);
}

template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(emu::detail::kernel_address(kernel), grid, block, arguments,
                                       sharedBytes, stream);
}

template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  // Each argument becomes the type of its parameter, as a call would convert it.
  return [&](Parameters... converted) {
    void* addresses[] = {
        const_cast<void*>(static_cast<const void*>(__builtin_addressof(converted)))..., nullptr};
    return ::cudaLaunchKernelExC(config, emu::detail::kernel_address(kernel), addresses);
  }(std::forward<Arguments>(arguments)...);
}

template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, emu::detail::kernel_address(kernel));
}

template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(emu::detail::kernel_address(kernel), attribute, value);
}

template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache preference) {
  return ::cudaFuncSetCacheConfig(emu::detail::kernel_address(kernel), preference);
}

template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(emu::detail::kernel_address(kernel), config);
}

template <class T>
inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, emu::detail::kernel_address(kernel));
}

// ------------------------------------------------------------------------------------- occupancy

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel,
                                                                 int blockSize,
                                                                 size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, emu::detail::kernel_address(kernel), blockSize, dynamicSharedBytes);
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T* kernel,
                                                                          int blockSize,
                                                                          size_t dynamicSharedBytes,
                                                                          unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, emu::detail::kernel_address(kernel), blockSize, dynamicSharedBytes, flags);
}

template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks,
                                                             int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, emu::detail::kernel_address(kernel),
                                                     blocks, blockSize);
}

/// The block size, a multiple of the warp, that keeps most threads resident, and the grid that
/// fills the device with it; of equally good sizes the largest.
/// `blockSizeToSharedBytes` gives the dynamic shared memory a block of that size needs.
template <class Function, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T* kernel, Function blockSizeToSharedBytes,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (minGridSize == nullptr || blockSize == nullptr || kernel == nullptr) {
    return cudaErrorInvalidValue;
  }
  cudaFuncAttributes attributes;
  if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess) {
    return error;
  }
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&threads_per_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, 0);

  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  int best_threads = 0;
  int best_size = 0;
  int best_blocks = 0;
  for (int aligned = (limit + emu::kLanesOfWarp - 1) / emu::kLanesOfWarp * emu::kLanesOfWarp;
       aligned > 0; aligned -= emu::kLanesOfWarp) {
    const int size = aligned < limit ? aligned : limit;
    int blocks = 0;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, kernel, size, blockSizeToSharedBytes(size), flags);
    if (error != cudaSuccess) return error;
    if (size * blocks > best_threads) {
      best_threads = size * blocks;
      best_size = size;
      best_blocks = blocks;
    }
    if (best_threads == threads_per_multiprocessor) break;
  }
  *minGridSize = best_blocks * multiprocessors;
  *blockSize = best_size;
  return cudaSuccess;
}

template <class Function, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                  T* kernel,
                                                                  Function blockSizeToSharedBytes,
                                                                  int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, blockSizeToSharedBytes, blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                               T* kernel,
                                                               size_t dynamicSharedBytes = 0,
                                                               int blockSizeLimit = 0,
                                                               unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, [dynamicSharedBytes](int) { return dynamicSharedBytes; },
      blockSizeLimit, flags);
}

template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T* kernel,
                                                      size_t dynamicSharedBytes = 0,
                                                      int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, kernel, dynamicSharedBytes, blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel,
                                                        const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, emu::detail::kernel_address(kernel), config);
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                                  const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, emu::detail::kernel_address(kernel), config);
}

#else  // C has the functions alone
#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "vector_functions.h"
#endif  // __cplusplus

#endif  // __CUDA_RUNTIME_H__
