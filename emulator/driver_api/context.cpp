// The driver, its device, and contexts.
#include "context.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "call.hpp"
#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "engine/settings.hpp"
#include "runtime/runtime.hpp"

using namespace emu;
using namespace emu::driver;
using runtime::valid_device;

// All thread-local variables of the emulator are in its namespace. Reports take those of other
// namespaces for __shared__ variables of the program.
namespace emu::driver {
namespace {

std::vector<CUcontext>& stack() {
  thread_local std::vector<CUcontext> contexts;
  return contexts;
}

}  // namespace
}  // namespace emu::driver

namespace {

constexpr unsigned kApiVersion = 3020;
constexpr unsigned kKnownFlags = CU_CTX_FLAGS_MASK;

std::atomic<bool> is_initialised{false};
std::mutex contexts_mutex;

std::set<CUcontext>& contexts() {
  static auto& all = *new std::set<CUcontext>;
  return all;
}

CUctx_st& primary() {
  static CUctx_st& context = *[] {
    auto* const made = new CUctx_st;
    made->is_primary = true;
    made->id = 1;
    return made;
  }();
  return context;
}
bool is_active(const CUctx_st& context) { return context.users > 0 || context.is_of_runtime; }

bool is_alive(CUcontext context) {
  if (context == &primary()) return is_active(primary());
  const std::lock_guard lock(contexts_mutex);
  return contexts().contains(context);
}

/// Returns whether a call of the runtime needs no context.
bool needs_no_context(std::string_view call) {
  constexpr std::string_view kCalls[] = {"cudaGetDeviceCount",     "cudaGetDeviceProperties",
                                         "cudaDeviceGetAttribute", "cudaChooseDevice",
                                         "cudaGetDevice",          "cudaSetValidDevices",
                                         "cudaDriverGetVersion",   "cudaRuntimeGetVersion",
                                         "cudaDeviceGetPCIBusId",  "cudaDeviceGetByPCIBusId",
                                         "cudaSetDeviceFlags",     "cudaGetDeviceFlags",
                                         "cudaDeviceReset",        "cudaDeviceGetDefaultMemPool",
                                         "cudaDeviceCanAccessPeer"};
  return std::find(std::begin(kCalls), std::end(kCalls), call) != std::end(kCalls);
}

/// Called at each call of the runtime: initialises the driver, and makes the primary context
/// current if no context is.
void note_runtime_call(const char* call) noexcept {
  if (std::strncmp(call, "cuda", 4) != 0) return;  // a call of the driver's own
  is_initialised = true;
  if (!stack().empty() || needs_no_context(call)) return;
  primary().is_of_runtime = true;
  stack().push_back(&primary());
}

[[maybe_unused]] const bool is_noticed = [] {
  runtime::CallReport::notice(&note_runtime_call);
  return true;
}();

std::set<void*>& owned(CUctx_st& context, Owned kind) {
  switch (kind) {
    case Owned::memory:
      return context.memory;
    case Owned::stream:
      return context.streams;
    case Owned::event:
      return context.events;
    case Owned::module:
      break;
  }
  return context.modules;
}

/// Destroys what the context owns. Under leakcheck, memory stays allocated, because it is a leak.
void give_back(CUctx_st& context) {
  cudaDeviceSynchronize();
  for (void* const module : std::exchange(context.modules, {}))
    unload_module(static_cast<CUmodule>(module));
  for (void* const event : std::exchange(context.events, {}))
    cudaEventDestroy(static_cast<CUevent>(event));
  for (void* const stream : std::exchange(context.streams, {}))
    cudaStreamDestroy(static_cast<CUstream>(stream));
  for (void* const memory : std::exchange(context.memory, {})) {
    if (settings().checks.leaks) continue;
    if (cudaFree(memory) != cudaSuccess) cudaFreeHost(memory);
  }
}

CUresult create(CUcontext* context, unsigned flags, CUdevice device) {
  if (context == nullptr || (flags & ~kKnownFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!valid_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  if (sticky_error() != cudaSuccess) return result_of(sticky_error());
  static std::atomic<unsigned long long> next_id{2};
  auto made = std::make_unique<CUctx_st>();
  made->flags = flags;
  made->id = next_id++;
  *context = made.release();
  const std::lock_guard lock(contexts_mutex);
  contexts().insert(*context);
  stack().push_back(*context);
  return CUDA_SUCCESS;
}

/// Returns the context that a call is about; for null, the current one.
CUcontext meant(CUcontext context) {
  if (context == nullptr) return current_context();
  return is_alive(context) ? context : nullptr;
}

CUresult release_primary() {
  if (primary().users == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--primary().users == 0 && !primary().is_of_runtime) give_back(primary());
  return CUDA_SUCCESS;
}

template <class T>
CUresult give(T* target, T value) {
  if (target == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *target = value;
  return CUDA_SUCCESS;
}

template <class F>
CUresult about_device(CUdevice device, F&& body) {
  return valid_device(device) ? result_of(body()) : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

CUcontext emu::driver::current_context() noexcept {
  return stack().empty() ? nullptr : stack().back();
}

void emu::driver::own(Owned kind, void* object) {
  if (CUcontext context = current_context(); context && object) {
    const std::lock_guard lock(contexts_mutex);
    owned(*context, kind).insert(object);
  }
}

void emu::driver::disown(Owned kind, void* object) noexcept {
  const std::lock_guard lock(contexts_mutex);
  owned(primary(), kind).erase(object);
  for (const CUcontext context : contexts()) owned(*context, kind).erase(object);
}

CUcontext emu::driver::owner_of_stream(CUstream stream) {
  const std::lock_guard lock(contexts_mutex);
  for (const CUcontext context : contexts())
    if (context->streams.contains(stream)) return context;
  return primary().streams.contains(stream) || stack().empty() ? &primary() : stack().back();
}

CUresult emu::driver::result_of(cudaError_t error) noexcept {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidTexture:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);  // both have one number for it
  }
}

CUresult emu::driver::refusal(Needs needs) noexcept {
  if (runtime::in_host_function()) return CUDA_ERROR_NOT_PERMITTED;
  if (needs != Needs::nothing && !is_initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (needs != Needs::context) return CUDA_SUCCESS;
  const CUcontext context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return is_alive(context) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

// ----------------------------------------------------------------------------------------- driver

CUresult cuInit(unsigned int flags) {
  return call<Needs::nothing>([&] {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    is_initialised = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuDriverGetVersion(int* version) {
  return call<Needs::nothing>([&] { return cudaDriverGetVersion(version); });
}

// ----------------------------------------------------------------------------------------- device

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return call<Needs::driver>([&] {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return about_device(ordinal, [&] { return give(device, ordinal); });
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call<Needs::driver>([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return call<Needs::driver>([&] {
    if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] {
      const auto bytes = static_cast<std::size_t>(length);
      std::strncpy(name, device_properties().name, bytes);
      name[bytes - 1] = '\0';
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return call<Needs::driver>(
      [&] { return about_device(device, [&] { return give(uuid, device_properties().uuid); }); });
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return call<Needs::driver>([&] {
    return about_device(device, [&] { return give(bytes, device_properties().totalGlobalMem); });
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return call<Needs::driver>([&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return call<Needs::driver>([&] {
    if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] {
      const cudaDeviceProp& known = device_properties();
      *properties = {};
      properties->maxThreadsPerBlock = known.maxThreadsPerBlock;
      std::copy_n(known.maxThreadsDim, 3, properties->maxThreadsDim);
      std::copy_n(known.maxGridSize, 3, properties->maxGridSize);
      properties->sharedMemPerBlock = static_cast<int>(known.sharedMemPerBlock);
      properties->totalConstantMemory = static_cast<int>(known.totalConstMem);
      properties->SIMDWidth = known.warpSize;
      properties->memPitch = static_cast<int>(known.memPitch);
      properties->regsPerBlock = known.regsPerBlock;
      cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
      properties->textureAlign = static_cast<int>(known.textureAlignment);
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return call<Needs::driver>([&] {
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] {
      *major = device_properties().major;
      *minor = device_properties().minor;
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return call<Needs::driver>([&] { return cudaDeviceGetByPCIBusId(device, id); });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return call<Needs::driver>([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType, CUdevice device) {
  return call<Needs::driver>([&] { return about_device(device, [&] { return give(value, 0); }); });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return call<Needs::driver>([&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return call<Needs::driver>([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return call<Needs::driver>([&] { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call<Needs::driver>([&] { return cudaDeviceSetMemPool(device, pool); });
}

// -------------------------------------------------------------------------------- primary context

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return call<Needs::driver>([&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] {
      ++primary().users;
      return give(context, &primary());
    });
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call<Needs::driver>(
      [&] { return about_device(device, [] { return release_primary(); }); });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  return call<Needs::driver>([&] {
    if ((flags & ~kKnownFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] { return give(&primary().flags, flags); });
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return call<Needs::driver>([&] {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return about_device(device, [&] {
      *flags = primary().flags;
      *active = is_active(primary());
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call<Needs::driver>([&] {
    return about_device(device, [] {
      give_back(primary());
      primary().users = 0;
      primary().is_of_runtime = false;
      return cudaDeviceReset();
    });
  });
}

// --------------------------------------------------------------------------------------- contexts

CUresult cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return call<Needs::driver>([&] { return create(context, flags, device); });
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                        CUdevice device) {
  return call<Needs::driver>([&] {
    const bool asks_for_more =
        parameters && (parameters->numExecAffinityParams != 0 || parameters->cigParams != nullptr);
    if (asks_for_more) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return create(context, flags, device);
  });
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return call<Needs::driver>([&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    {
      const std::lock_guard lock(contexts_mutex);
      if (!contexts().contains(context)) return CUDA_ERROR_INVALID_CONTEXT;
    }
    give_back(*context);
    const std::lock_guard lock(contexts_mutex);
    contexts().erase(context);  // its memory stays: another thread may have it on its stack
    if (!stack().empty() && stack().back() == context) stack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return call<Needs::driver>([&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // The primary context can be pushed when nobody retains it, as on a device.
    if (context != &primary() && !is_alive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return call<Needs::driver>([&] {
    if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = stack().back();
    stack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return call<Needs::driver>([&] {
    if (context != nullptr && !is_alive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack().empty()) stack().pop_back();
    if (context != nullptr) stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return call<Needs::driver>([&] { return give(context, current_context()); });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return call([&] { return give(device, 0); });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return call([&] { return give(flags, current_context()->flags); });
}

CUresult cuCtxSetFlags(unsigned int flags) {
  return call([&] {
    if ((flags & ~kKnownFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    return give(&current_context()->flags, flags);
  });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return call<Needs::driver>([&] {
    const CUcontext one = meant(context);
    return one ? give(id, one->id) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

CUresult cuCtxSynchronize() {
  return call([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return call([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return call([&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return call([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return call(
      [&] { return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)); });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return call(
      [&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return call<Needs::driver>(
      [&] { return meant(context) ? give(version, kApiVersion) : CUDA_ERROR_INVALID_CONTEXT; });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxResetPersistingL2Cache() {
  return call([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return call([&] {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    // A device is no peer of itself, and there is no other.
    return is_alive(peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return call([&] {
    return is_alive(peer) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
  });
}

CUresult cuProfilerStart() {
  return call([] { return CUDA_SUCCESS; });
}
CUresult cuProfilerStop() {
  return call([] { return CUDA_SUCCESS; });
}
