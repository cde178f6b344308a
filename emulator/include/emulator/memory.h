/// @file
/// Classifies addresses for the engine, which counts or permits accesses accordingly. Not part of
/// CUDA: chapters never include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "driver_types.h"

namespace emu {

/// Kinds of memory that a kernel may access, by how the program allocated it.
enum class Space : std::uint8_t {
  device,           ///< cudaMalloc and its relatives
  device_variable,  ///< `__device__` variables
  constant,         ///< `__constant__` variables
  managed,          ///< cudaMallocManaged and `__managed__` variables
  pinned,           ///< cudaMallocHost, cudaHostAlloc, cudaHostRegister
  none,             ///< ordinary host memory, freed memory, or nothing
};

namespace detail {
/// The reserved range of addresses; set once, before main.
extern const char* arena_begin;
extern std::size_t arena_bytes;
}  // namespace detail

/// Returns whether the address is in the arena, from which all allocations of the runtime come; it
/// need not be allocated.
inline bool in_arena(const void* address) noexcept {
  return static_cast<std::size_t>(static_cast<const char*>(address) - detail::arena_begin) <
         detail::arena_bytes;
}

/// A live allocation, or the variables of one kind.
struct Allocation {
  const char* begin;
  std::size_t bytes;                ///< requested bytes: one byte more is out of bounds
  const char* call = nullptr;       ///< the call that allocated it, "cudaMalloc"; null: unknown
  const void* call_site = nullptr;  ///< in the program; only for_each_allocation sets these two
};

/// Returns the kind of memory at `address`, exact to the byte.
Space find_space(const void* address) noexcept;

/// Finds the live allocation that contains `address`; returns false if there is none. May run while
/// other host threads call cudaMalloc and cudaFree; takes no lock for addresses in the arena.
bool find_allocation(const void* address, Allocation* out) noexcept;

/// Returns whether a kernel could access these bytes of the arena without a fault: bytes of an
/// allocation and of the rest of its pages.
bool is_mapped(const void* address, std::size_t bytes) noexcept;

/// Returns whether the address was recently part of an allocation that has been freed.
bool is_freed(const void* address) noexcept;

/// Calls `visit` for every live allocation of the arena, in order of addresses.
void for_each_allocation(const std::function<void(const Allocation&, Space)>& visit);

/// Calls `visit` once for all variables of each kind.
void for_each_variable_section(const std::function<void(const Allocation&, Space)>& visit);

/// Returns how often kernels have called malloc, free, new or delete.
std::uint64_t kernels_heap_uses() noexcept;

/// During its lifetime, reports allocations and frees by kernels; the destructor undoes them.
class KernelsHeapWatch {
 public:
  /// @param on_use  is called in the thread that calls malloc, free, new or delete
  explicit KernelsHeapWatch(std::function<void()> on_use);
  ~KernelsHeapWatch();
  KernelsHeapWatch(const KernelsHeapWatch&) = delete;
  KernelsHeapWatch& operator=(const KernelsHeapWatch&) = delete;
};

/// Sets the error for this host thread's cudaGetLastError.
void set_last_error(cudaError_t error) noexcept;

/// Makes the device unusable: every later call returns this error. The launch that caused it does
/// not, because a launch on a GPU has returned long before its kernel fails. cudaSuccess restores
/// the device, which tests need and programs cannot do.
void set_sticky_error(cudaError_t error) noexcept;

/// Returns the sticky error, or cudaSuccess. After an error, no launch may run.
cudaError_t sticky_error() noexcept;

/// Returns whether a launch may use `stream`: default, legacy, per-thread, or an existing one.
bool valid_stream(cudaStream_t stream) noexcept;

/// Returns the dynamic shared memory that a launch of `kernel` may request: 48 KiB minus the static
/// part, or the limit set by cudaFuncSetAttribute.
std::size_t allowed_dynamic_shared(const void* kernel);

/// Returns the properties of the emulated device.
const cudaDeviceProp& device_properties() noexcept;

/// Makes device memory accessible during its lifetime; kernels and copies use one. At other times,
/// if that is cheap enough, device memory is inaccessible, so that a host program which
/// dereferences a device pointer stops with a message instead of silently working.
class DeviceAccess {
 public:
  DeviceAccess() noexcept;
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Writes a description of an `address` in the arena ("byte 8 of 64 allocated", "4 bytes past the
/// end of an allocation of 64 bytes", "memory that has been freed") without a final zero. Returns
/// the number of characters; 0 for an address elsewhere. Async-signal-safe.
std::size_t describe_address(const void* address, char* text, std::size_t capacity) noexcept;

/// After a fault of the host at `address`: if it is in the arena, prints a line on stderr that
/// describes it (device memory, freed memory, past the end of an allocation), and returns true.
/// Async-signal-safe.
bool explain_host_fault(const void* address) noexcept;

}  // namespace emu
