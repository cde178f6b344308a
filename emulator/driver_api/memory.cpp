// Memory: allocation, attributes of addresses, fills, and copies of bytes.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "emulator/memory.h"
#include "runtime/copy.hpp"

using namespace emu;
using namespace emu::driver;
using runtime::Element;
using runtime::Returns;

namespace {

/// Allocates memory that the context owns. For 0 bytes, the driver returns an error where the
/// runtime returns a null pointer.
template <class Allocate>
CUresult allocate(void** result, std::size_t bytes, Allocate&& of_runtime) {
  if (result == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = of_runtime(result);
  if (error == cudaSuccess) own(Owned::memory, *result);
  return result_of(error);
}
template <class Allocate>
CUresult allocate(CUdeviceptr* result, std::size_t bytes, Allocate&& of_runtime) {
  return allocate(reinterpret_cast<void**>(result), bytes, of_runtime);
}

/// Allocates pinned memory that the context owns; for 0 bytes, returns a null pointer.
template <class Allocate>
CUresult allocate_pinned(void** result, std::size_t bytes, Allocate&& of_runtime) {
  if (result == nullptr || bytes > 0) return allocate(result, bytes, of_runtime);
  *result = nullptr;
  return CUDA_SUCCESS;
}

template <class Free>
CUresult release(void* memory, Free&& of_runtime) {
  const cudaError_t error = of_runtime(memory);
  if (error == cudaSuccess) disown(Owned::memory, memory);
  return result_of(error);
}

CUresult fill(CUdeviceptr target, std::size_t pitch, Element element, std::size_t width,
              std::size_t height, CUstream stream, Returns returns) {
  if (target % element.bytes != 0 && width * height > 0) return CUDA_ERROR_INVALID_VALUE;
  if (height > 1 && pitch % element.bytes != 0) return CUDA_ERROR_INVALID_VALUE;
  return result_of(runtime::fill_box({static_cast<const char*>(pointer(target)), pitch, 0}, element,
                                     {width * element.bytes, height, 1}, stream, returns));
}

CUresult copy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return result_of(cudaMemcpy(target, source, bytes, kind));
}
CUresult copy_later(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                    CUstream stream) {
  return result_of(cudaMemcpyAsync(target, source, bytes, kind, stream));
}

template <class T>
CUresult write(void* data, T value) {
  std::memcpy(data, &value, sizeof(value));
  return CUDA_SUCCESS;
}

CUmemorytype type_of(const runtime::Place& place) {
  return place.space == Space::pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/// Writes an attribute of an address in memory that the device knows.
CUresult attribute_of(void* data, CUpointer_attribute attribute, CUdeviceptr at,
                      const runtime::Place& place) {
  const bool is_pinned = place.space == Space::pinned;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return write(data, current_context());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return write(data, static_cast<unsigned>(type_of(place)));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return write(data, at);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!is_pinned && place.space != Space::managed) return CUDA_ERROR_INVALID_VALUE;
      return write(data, pointer(at));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return write(data, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return write(data, address(place.begin));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return write(data, static_cast<unsigned>(place.space == Space::managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return write(data, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return write(data, place.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return write(data, 1u);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return write(data, static_cast<CUmemoryPool>(place.pool));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return write(data, 0u);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

std::size_t size_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return sizeof(unsigned);
    default:
      return sizeof(void*);
  }
}

}  // namespace

// ------------------------------------------------------------------------------------- allocation

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return call([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemAlloc_v2(CUdeviceptr* result, size_t bytes) {
  return call([&] {
    return allocate(result, bytes, [&](void** memory) { return cudaMalloc(memory, bytes); });
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* result, size_t* pitch, size_t width, size_t height,
                            unsigned int element_bytes) {
  return call([&] {
    const bool is_size = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (pitch == nullptr || !is_size || height == 0) return CUDA_ERROR_INVALID_VALUE;
    return allocate(result, width,
                    [&](void** memory) { return cudaMallocPitch(memory, pitch, width, height); });
  });
}

CUresult cuMemFree_v2(CUdeviceptr memory) {
  if (memory == 0) return call<Needs::driver>([] { return CUDA_SUCCESS; });
  return call([&] { return release(pointer(memory), &cudaFree); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, size_t* bytes, CUdeviceptr at) {
  return call([&] {
    const runtime::Place place = runtime::place_of(pointer(at));
    if (place.space == Space::none) return CUDA_ERROR_NOT_FOUND;
    if (begin != nullptr) *begin = address(place.begin);
    if (bytes != nullptr) *bytes = place.bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocHost_v2(void** result, size_t bytes) {
  return call([&] {
    return allocate_pinned(result, bytes,
                           [&](void** memory) { return cudaMallocHost(memory, bytes); });
  });
}

CUresult cuMemFreeHost(void* memory) {
  return call([&] { return memory == nullptr ? CUDA_SUCCESS : release(memory, &cudaFreeHost); });
}

CUresult cuMemHostAlloc(void** result, size_t bytes, unsigned int flags) {
  return call([&] {
    return allocate_pinned(result, bytes,
                           [&](void** memory) { return cudaHostAlloc(memory, bytes, flags); });
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned int flags) {
  return call(
      [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags); });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* memory) {
  return call([&] { return cudaHostGetFlags(flags, memory); });
}

CUresult cuMemHostRegister_v2(void* memory, size_t bytes, unsigned int flags) {
  return call([&] { return cudaHostRegister(memory, bytes, flags); });
}

CUresult cuMemHostUnregister(void* memory) {
  return call([&] { return cudaHostUnregister(memory); });
}

CUresult cuMemAllocManaged(CUdeviceptr* result, size_t bytes, unsigned int flags) {
  return call([&] {
    return allocate(result, bytes,
                    [&](void** memory) { return cudaMallocManaged(memory, bytes, flags); });
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* result, size_t bytes, CUstream stream) {
  return call([&] {
    return allocate(result, bytes,
                    [&](void** memory) { return cudaMallocAsync(memory, bytes, stream); });
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* result, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return call([&] {
    return allocate(result, bytes, [&](void** memory) {
      return cudaMallocFromPoolAsync(memory, bytes, pool, stream);
    });
  });
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  return call([&] {
    if (memory == 0) return CUDA_SUCCESS;
    return release(pointer(memory), [&](void* one) { return cudaFreeAsync(one, stream); });
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return call([&] { return cudaMemPoolTrimTo(pool, bytes); });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return call([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemAdvise_v2(CUdeviceptr at, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return call([&] {
    return cudaMemAdvise(pointer(at), bytes, static_cast<cudaMemoryAdvise>(advice),
                         {static_cast<cudaMemLocationType>(location.type), location.id});
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr at, size_t bytes, CUmemLocation location,
                               unsigned int flags, CUstream stream) {
  return call([&] {
    return cudaMemPrefetchAsync(pointer(at), bytes,
                                {static_cast<cudaMemLocationType>(location.type), location.id},
                                flags, stream);
  });
}

// -------------------------------------------------------------------------------------- addresses

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr at) {
  return call([&] {
    if (data == nullptr || attribute <= 0) return CUDA_ERROR_INVALID_VALUE;
    const runtime::Place place = runtime::place_of(pointer(at));
    if (place.space == Space::none) return CUDA_ERROR_INVALID_VALUE;
    return attribute_of(data, attribute, at, place);
  });
}

CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr at) {
  return call([&] {
    if (count == 0 || attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const runtime::Place place = runtime::place_of(pointer(at));
    for (unsigned i = 0; i < count; ++i) {
      const bool is_known = place.space != Space::none &&
                            attribute_of(data[i], attributes[i], at, place) == CUDA_SUCCESS;
      if (!is_known) std::memset(data[i], 0, size_of(attributes[i]));
    }
    return CUDA_SUCCESS;
  });
}

// ----------------------------------------------------------------------------------------- copies

CUresult cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return call([&] { return copy(pointer(target), pointer(source), bytes, cudaMemcpyDefault); });
}

CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return call([&] {
    return copy_later(pointer(target), pointer(source), bytes, cudaMemcpyDefault, stream);
  });
}

CUresult cuMemcpyPeer(CUdeviceptr target, CUcontext, CUdeviceptr source, CUcontext, size_t bytes) {
  return call(
      [&] { return copy(pointer(target), pointer(source), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr target, CUcontext, CUdeviceptr source, CUcontext,
                           size_t bytes, CUstream stream) {
  return call([&] {
    return copy_later(pointer(target), pointer(source), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void* source, size_t bytes) {
  return call([&] { return copy(pointer(target), source, bytes, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyDtoH_v2(void* target, CUdeviceptr source, size_t bytes) {
  return call([&] { return copy(target, pointer(source), bytes, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return call(
      [&] { return copy(pointer(target), pointer(source), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void* source, size_t bytes,
                              CUstream stream) {
  return call(
      [&] { return copy_later(pointer(target), source, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyDtoHAsync_v2(void* target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return call(
      [&] { return copy_later(target, pointer(source), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes,
                              CUstream stream) {
  return call([&] {
    return copy_later(pointer(target), pointer(source), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}

// ------------------------------------------------------------------------------------------ fills

CUresult cuMemsetD8_v2(CUdeviceptr target, unsigned char value, size_t count) {
  return call([&] { return fill(target, 0, {value, 1}, count, 1, nullptr, Returns::when_done); });
}
CUresult cuMemsetD16_v2(CUdeviceptr target, unsigned short value, size_t count) {
  return call([&] { return fill(target, 0, {value, 2}, count, 1, nullptr, Returns::when_done); });
}
CUresult cuMemsetD32_v2(CUdeviceptr target, unsigned int value, size_t count) {
  return call([&] { return fill(target, 0, {value, 4}, count, 1, nullptr, Returns::when_done); });
}
CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count, CUstream stream) {
  return call([&] { return fill(target, 0, {value, 1}, count, 1, stream, Returns::at_once); });
}
CUresult cuMemsetD16Async(CUdeviceptr target, unsigned short value, size_t count, CUstream stream) {
  return call([&] { return fill(target, 0, {value, 2}, count, 1, stream, Returns::at_once); });
}
CUresult cuMemsetD32Async(CUdeviceptr target, unsigned int value, size_t count, CUstream stream) {
  return call([&] { return fill(target, 0, {value, 4}, count, 1, stream, Returns::at_once); });
}

CUresult cuMemsetD2D8_v2(CUdeviceptr target, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return call([&] {
    return fill(target, pitch, {value, 1}, width, height, nullptr, Returns::when_done);
  });
}
CUresult cuMemsetD2D16_v2(CUdeviceptr target, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return call([&] {
    return fill(target, pitch, {value, 2}, width, height, nullptr, Returns::when_done);
  });
}
CUresult cuMemsetD2D32_v2(CUdeviceptr target, size_t pitch, unsigned int value, size_t width,
                          size_t height) {
  return call([&] {
    return fill(target, pitch, {value, 4}, width, height, nullptr, Returns::when_done);
  });
}
CUresult cuMemsetD2D8Async(CUdeviceptr target, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return call([&] {
    return fill(target, pitch, {value, 1}, width, height, stream, Returns::at_once);
  });
}
CUresult cuMemsetD2D16Async(CUdeviceptr target, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return call([&] {
    return fill(target, pitch, {value, 2}, width, height, stream, Returns::at_once);
  });
}
CUresult cuMemsetD2D32Async(CUdeviceptr target, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream) {
  return call([&] {
    return fill(target, pitch, {value, 4}, width, height, stream, Returns::at_once);
  });
}
