/// @file
/// Whose memory an address is: what the engine asks before it counts or allows an access.
/// Not part of CUDA: chapters never include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "driver_types.h"

namespace emu {

/// Kinds of memory that a kernel may touch, by how the program got it.
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

/// Whether the address lies in the range that all allocations of the runtime come from; says
/// nothing of whether it is allocated.
inline bool in_arena(const void* address) noexcept {
  return static_cast<std::size_t>(static_cast<const char*>(address) - detail::arena_begin) <
         detail::arena_bytes;
}

/// One live allocation, or the variables of one kind.
struct Allocation {
  const char* begin;
  std::size_t bytes;                ///< as asked for: one byte more is out of bounds
  const char* call = nullptr;       ///< that allocated it, "cudaMalloc"; null: not known
  const void* call_site = nullptr;  ///< in the program; only for_each_allocation tells these two
};

/// The kind of memory at `address`, to the byte.
Space find_space(const void* address) noexcept;

/// The live allocation that contains `address`; false if none does. Safe beside cudaMalloc and
/// cudaFree in other host threads; takes no lock for addresses in the arena.
bool find_allocation(const void* address, Allocation* out) noexcept;

/// Whether a kernel could touch these bytes of the arena without a fault: those of an allocation
/// and the rest of its pages.
bool is_mapped(const void* address, std::size_t bytes) noexcept;

/// Whether the address was lately part of an allocation that has been freed.
bool is_freed(const void* address) noexcept;

/// Calls `visit` for every live allocation of the arena, by address.
void for_each_allocation(const std::function<void(const Allocation&, Space)>& visit);

/// The same for the variables of each kind together.
void for_each_variable_section(const std::function<void(const Allocation&, Space)>& visit);

/// How often kernels have called malloc, free, new or delete.
std::uint64_t kernels_heap_uses() noexcept;

/// While one lives, what kernels allocate and free is noticed, and counts for nothing: in the end,
/// all of it is as it was.
class KernelsHeapWatch {
 public:
  /// @param noticed  is called each time, by whoever calls malloc, free, new or delete
  explicit KernelsHeapWatch(std::function<void()> noticed);
  ~KernelsHeapWatch();
  KernelsHeapWatch(const KernelsHeapWatch&) = delete;
  KernelsHeapWatch& operator=(const KernelsHeapWatch&) = delete;
};

/// Remembers the error of a call for this host thread's cudaGetLastError.
void set_last_error(cudaError_t error) noexcept;

/// Ends the device's life: this error comes back from every later call, but not from the launch
/// that caused it, because a launch on a GPU has long returned when its kernel fails.
/// cudaSuccess gives the device back, which tests need and programs cannot do.
void set_sticky_error(cudaError_t error) noexcept;

/// The sticky error, or cudaSuccess: a launch must not run after one.
cudaError_t sticky_error() noexcept;

/// Whether `stream` is a stream to launch into: default, legacy, per-thread, or created and alive.
bool valid_stream(cudaStream_t stream) noexcept;

/// Dynamic shared memory that a launch of `kernel` may ask for: 48 KiB less its static part, or
/// what cudaFuncSetAttribute allowed.
std::size_t allowed_dynamic_shared(const void* kernel);

/// The emulated device.
const cudaDeviceProp& device_properties() noexcept;

/// Opens device memory to the calling code for its lifetime; kernels and copies run inside one.
/// Outside, where it is cheap enough, device memory is inaccessible, so that a host program that
/// dereferences a device pointer stops with a message instead of silently working.
class DeviceAccess {
 public:
  DeviceAccess() noexcept;
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Writes what `address`, of the arena, is ("byte 8 of 64 allocated", "4 bytes past the end of an
/// allocation of 64 bytes", "memory that has been freed") without a final zero; returns how many
/// characters, 0 for an address elsewhere. Async-signal-safe.
std::size_t describe_address(const void* address, char* text, std::size_t capacity) noexcept;

/// If `address`, at which the host just faulted, is in the arena: one line on stderr that says what
/// it is (device memory, freed memory, past the end of an allocation), and true. Async-signal-safe.
bool explain_host_fault(const void* address) noexcept;

}  // namespace emu
