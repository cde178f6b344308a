// Allocation of device, pinned, managed and stream-ordered memory, and queries of addresses.
#include <algorithm>
#include <deque>
#include <mutex>
#include <set>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "engine/check/check_host.hpp"
#include "engine/engine.hpp"
#include "engine/run/queue.hpp"
#include "graph.hpp"
#include "graph_memory.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"

/// A memory pool: only counters, because freed memory returns to the arena.
struct CUmemPoolHandle_st {
  unsigned long long release_threshold = 0;
  unsigned long long used = 0;
  unsigned long long used_high = 0;
  int reuse[3] = {1, 1, 1};  ///< by attribute, starting at cudaMemPoolReuseFollowEventDependencies
  bool alive = true;
};

using namespace emu;
using runtime::api_call;
using runtime::lane_call;
using runtime::Place;
using runtime::place_of;
using runtime::valid_device;

namespace {

constexpr std::size_t kPitchAlignment = 512;
constexpr unsigned kHostAllocFlags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                        cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

/// Allocates memory of any kind: no memory for 0 bytes; does not change `*pointer` on failure.
cudaError_t allocate_for(void** pointer, std::size_t bytes, Space space, unsigned host_flags = 0,
                         cudaMemPool_t pool = nullptr) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (pool == nullptr)  // otherwise the allocation is for a stream
    if (const cudaError_t error = runtime::refuse_unsafe_call(); error != cudaSuccess) return error;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  return runtime::allocate(pointer, bytes, space, host_flags, pool);
}

/// Waits for all work that may use memory which the host is about to free.
cudaError_t wait_before_freeing(const void* pointer) {
  if (pointer != nullptr) {
    if (const cudaError_t error = runtime::refuse_unsafe_call(); error != cudaSuccess) return error;
    finish_all();
    note_host_waited();
  }
  return sticky_error();
}

/// Returns the allocation that starts at `pointer`; nothing for a variable, registered memory or an
/// address inside an allocation.
Place allocation_at(const void* pointer) {
  const Place place = place_of(pointer);
  return in_arena(pointer) && place.begin == pointer ? place : Place{};
}

std::mutex pool_mutex;

std::deque<CUmemPoolHandle_st>& pools() {
  static std::deque<CUmemPoolHandle_st>& all = *new std::deque<CUmemPoolHandle_st>(1);
  return all;
}
cudaMemPool_t default_pool() { return &pools().front(); }
cudaMemPool_t chosen_pool = nullptr;  ///< null: the default
cudaMemPool_t current_pool() {
  const std::lock_guard lock(pool_mutex);
  return chosen_pool ? chosen_pool : default_pool();
}

/// Returns whether a pool exists; requires pool_mutex. Pools are never deleted, so that destroyed
/// ones are recognised.
bool alive(cudaMemPool_t pool) {
  return std::any_of(pools().begin(), pools().end(), [&](const CUmemPoolHandle_st& known) {
    return &known == pool && known.alive;
  });
}

/// Makes cudaMallocAsync a node of the graph that the stream is captured into.
cudaError_t capture_allocation(void** pointer, std::size_t bytes, const StreamKey& stream) {
  if (const cudaError_t error = refusal_beside_capture(stream); error != cudaSuccess) return error;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  const cudaError_t error = runtime::capture_node(
      stream, cudaGraphNodeTypeMemAlloc,
      [&](cudaGraphNode_t node) { return runtime::set_allocation(*node, parameters); });
  if (error == cudaSuccess) *pointer = parameters.dptr;
  return error;
}

cudaError_t allocate_from(cudaMemPool_t pool, void** pointer, std::size_t bytes,
                          cudaStream_t stream) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (const StreamKey key = key_of(stream); is_captured(key))
    return capture_allocation(pointer, bytes, key);
  const auto allocate = [&] { return allocate_for(pointer, bytes, Space::device, 0, pool); };
  std::unique_lock lock(pool_mutex);
  if (!alive(pool)) return cudaErrorInvalidValue;
  cudaError_t error = allocate();
  if (error == cudaErrorMemoryAllocation) {  // completed stream work may free some
    lock.unlock();
    finish_all();
    lock.lock();
    error = allocate();
  }
  if (error == cudaSuccess) {
    pool->used += bytes;
    pool->used_high = std::max(pool->used_high, pool->used);
  }
  return error;
}

/// Frees device or managed memory that starts at `pointer`.
cudaError_t free_device(void* pointer, const Place& place) {
  if (place.space != Space::device && place.space != Space::managed) return cudaErrorInvalidValue;
  if (place.by_kernel) return cudaErrorInvalidValue;
  if (place.pool != nullptr) {
    const std::lock_guard lock(pool_mutex);
    place.pool->used -= place.bytes;
  }
  return runtime::release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

/// Frees device or managed memory, or what a graph has allocated, after all work is done.
cudaError_t free_now(void* pointer) {
  const auto memory = runtime::GraphMemory::at(pointer);
  if (!memory) return free_device(pointer, allocation_at(pointer));
  if (!memory->will_be_freed(key_of(nullptr))) return cudaErrorInvalidValue;
  memory->free();
  return cudaSuccess;
}

/// Memory whose cudaFreeAsync waits in a stream.
std::mutex freed_mutex;
std::set<const void*>& freed_later() {
  static auto& pointers = *new std::set<const void*>;
  return pointers;
}

/// Frees device memory that starts at `pointer` in stream order.
cudaError_t free_later(void* pointer, const Place& place, const StreamKey& stream) {
  {
    const std::lock_guard lock(freed_mutex);
    if (!freed_later().insert(pointer).second) return cudaErrorInvalidValue;
  }
  enqueue(stream, {.run = [=] {
            free_device(pointer, place);
            const std::lock_guard lock(freed_mutex);
            freed_later().erase(pointer);
          }});
  return cudaSuccess;
}

/// Returns the counter for an `unsigned long long` attribute of a pool.
unsigned long long* counter_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return &pool->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return &pool->used_high;
    default:
      return nullptr;
  }
}

int* reuse_flag_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  if (attribute < cudaMemPoolReuseFollowEventDependencies ||
      attribute > cudaMemPoolReuseAllowInternalDependencies) {
    return nullptr;
  }
  return &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
}

/// Returns whether [pointer, pointer + bytes) is managed memory of one allocation or variable.
bool managed_range(const void* pointer, std::size_t bytes) {
  return bytes > 0 && place_of(pointer).space == Space::managed &&
         runtime::check_range(pointer, bytes).valid;
}

cudaError_t check_location(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return valid_device(location.id) ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

void runtime::reset_pools() noexcept {
  const std::lock_guard lock(pool_mutex);
  for (CUmemPoolHandle_st& pool : pools()) pool.used = 0;
  chosen_pool = nullptr;
}

// ----------------------------------------------------------------------------------- device memory

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  if (in_kernel())
    return lane_call([&, line = __builtin_return_address(0)] {
      if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
      void* const memory = runtime::malloc_in_kernel(bytes, line);
      if (memory == nullptr) return cudaErrorMemoryAllocation;
      *pointer = memory;
      return cudaSuccess;
    });
  return api_call([&] { return allocate_for(pointer, bytes, Space::device); });
}

cudaError_t cudaFree(void* pointer) {
  const void* const call_site = __builtin_return_address(0);
  if (in_kernel())
    return lane_call([&] {
      if (pointer && !place_of(pointer).by_kernel && place_of(pointer).space != Space::none)
        fail_kernel(cudaErrorIllegalAddress, "cudaFree of memory that no kernel has allocated",
                    call_site);
      runtime::free_in_kernel(pointer, call_site);
      return cudaSuccess;
    });
  return api_call([&] {
    if (const cudaError_t error = wait_before_freeing(pointer); error != cudaSuccess) return error;
    const cudaError_t error = pointer == nullptr ? cudaSuccess : free_now(pointer);
    if (error != cudaSuccess) {
      note_bad_free(pointer, call_site);
      runtime::CallReport::mark_reported();
    }
    return error;
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api_call([&] {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    cudaPitchedPtr pitched{};
    const cudaError_t error = cudaMalloc3D(&pitched, {width, height, 1});
    if (error != cudaSuccess) return error;
    *pointer = pitched.ptr;
    *pitch = pitched.pitch;
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api_call([&] {
    if (pitched == nullptr) return cudaErrorInvalidValue;
    const auto [width, height, depth] = extent;
    const bool empty = width == 0 || height == 0 || depth == 0;
    std::size_t pitch = 0;
    std::size_t bytes = 0;
    if (!empty && (__builtin_add_overflow(width, kPitchAlignment - 1, &pitch) ||
                   __builtin_mul_overflow(pitch -= pitch % kPitchAlignment, height, &bytes) ||
                   __builtin_mul_overflow(bytes, depth, &bytes))) {
      return cudaErrorMemoryAllocation;
    }
    void* pointer = nullptr;
    const cudaError_t error = allocate_for(&pointer, bytes, Space::device);
    if (error == cudaSuccess) *pitched = {pointer, pitch, width, height};
    return error;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (free != nullptr) *free = runtime::free_bytes();
    if (total != nullptr) *total = device_properties().totalGlobalMem;
    return cudaSuccess;
  });
}

// --------------------------------------------------------------------------------- pinned memory

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return api_call([&] { return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if ((flags & ~kHostAllocFlags) != 0) return cudaErrorInvalidValue;
    return allocate_for(pointer, bytes, Space::pinned, flags);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return api_call([&] {
    if (const cudaError_t error = wait_before_freeing(pointer); error != cudaSuccess) return error;
    if (pointer == nullptr) return cudaSuccess;
    if (allocation_at(pointer).space != Space::pinned) return cudaErrorInvalidValue;
    return runtime::release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if (pointer == nullptr || bytes == 0 || (flags & ~kHostRegisterFlags) != 0 ||
        in_arena(pointer)) {
      return cudaErrorInvalidValue;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    return runtime::register_host(pointer, bytes, flags);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    finish_all();
    note_host_waited();
    if (sticky_error() != cudaSuccess) return sticky_error();
    return runtime::unregister_host(pointer);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return api_call([&] {
    if (device == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (place_of(host).space != Space::pinned) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api_call([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    const Place place = place_of(host);
    if (place.space != Space::pinned) return cudaErrorInvalidValue;
    // With unified addressing, all of it is mapped.
    *flags = place.host_flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

// ---------------------------------------------------------------------------------- managed memory

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate_for(pointer, bytes, Space::managed);
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return api_call([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (!managed_range(pointer, bytes)) return cudaErrorInvalidValue;
    return check_location(location);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return api_call([&] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
      return cudaErrorInvalidValue;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!managed_range(pointer, bytes)) return cudaErrorInvalidValue;
    const bool about_a_place =
        advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy;
    return about_a_place && check_location(location) != cudaSuccess ? cudaErrorInvalidValue
                                                                    : cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length,
                                     unsigned int flags) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const Place place = place_of(pointer);
    const bool to_default_stream = stream == nullptr && flags == cudaMemAttachSingle;
    const bool known_flags =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (place.space != Space::managed || place.begin != pointer || to_default_stream ||
        !known_flags || (length != 0 && length != place.bytes)) {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call([&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const Place place = place_of(pointer);
    *attributes = {};
    void* const address = const_cast<void*>(pointer);
    switch (place.space) {
      case Space::device:
      case Space::device_variable:
      case Space::constant:
        attributes->type = cudaMemoryTypeDevice;
        break;
      case Space::managed:
        attributes->type = cudaMemoryTypeManaged;
        break;
      case Space::pinned:
        attributes->type = cudaMemoryTypeHost;
        break;
      case Space::none:
        attributes->type = cudaMemoryTypeUnregistered;
        break;
    }
    const bool known = place.space != Space::none;
    attributes->device = known ? 0 : cudaInvalidDeviceId;
    attributes->devicePointer = known ? address : nullptr;
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : address;
    return cudaSuccess;
  });
}

// --------------------------------------------------------------------------- stream-ordered memory

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return api_call([&] { return allocate_from(current_pool(), pointer, bytes, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api_call([&] { return allocate_from(pool, pointer, bytes, stream); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    if (const cudaError_t error = refusal_beside_capture(key); error != cudaSuccess) return error;
    if (pointer == nullptr) return cudaSuccess;
    if (is_captured(key))
      return runtime::capture_node(key, cudaGraphNodeTypeMemFree, [&](cudaGraphNode_t node) {
        return runtime::set_free(*node, pointer);
      });
    if (const auto memory = runtime::GraphMemory::at(pointer))
      return runtime::free_graph_memory(memory, key);
    const Place place = allocation_at(pointer);
    if (place.space == Space::managed) return cudaErrorNotSupported;
    if (!has_work_before_next_in(key) || place.space != Space::device || place.by_kernel)
      return free_device(pointer, place);
    return free_later(pointer, place, key);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&] {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    *pool = default_pool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&] {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    *pool = current_pool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api_call([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(pool_mutex);
    if (!alive(pool)) return cudaErrorInvalidValue;
    chosen_pool = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_call([&] {
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice) {
      return cudaErrorInvalidValue;
    }
    if (!valid_device(properties->location.id)) return cudaErrorInvalidDevice;
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
    const std::lock_guard lock(pool_mutex);
    *pool = &pools().emplace_back();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api_call([&] {
    const std::lock_guard lock(pool_mutex);
    if (pool == default_pool() || !alive(pool)) return cudaErrorInvalidValue;
    pool->alive = false;
    if (chosen_pool == pool) chosen_pool = nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api_call([&] {
    const std::lock_guard lock(pool_mutex);
    return alive(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call([&] {
    const std::lock_guard lock(pool_mutex);
    if (value == nullptr || !alive(pool)) return cudaErrorInvalidValue;
    if (const int* flag = reuse_flag_of(pool, attribute)) {
      *static_cast<int*>(value) = *flag;
    } else if (const unsigned long long* counter = counter_of(pool, attribute)) {
      *static_cast<unsigned long long*>(value) = *counter;
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call([&] {
    const std::lock_guard lock(pool_mutex);
    if (value == nullptr || !alive(pool)) return cudaErrorInvalidValue;
    if (int* flag = reuse_flag_of(pool, attribute)) {
      *flag = *static_cast<int*>(value);
      return cudaSuccess;
    }
    const unsigned long long wanted = *static_cast<unsigned long long*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        pool->release_threshold = wanted;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (wanted != 0) return cudaErrorInvalidValue;  // a high-water mark can only be reset
        pool->used_high = pool->used;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  return api_call([&] {
    const std::lock_guard lock(pool_mutex);
    if (!alive(pool) || (access == nullptr && count > 0)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (!valid_device(access[i].location.id)) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
