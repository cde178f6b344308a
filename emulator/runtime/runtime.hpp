/// @file
/// Interfaces between the parts of the runtime: the beginning and end of a call, and the arena from
/// which all memory comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <vector>

#include "driver_types.h"
#include "emulator/device.h"
#include "emulator/memory.h"

namespace emu::runtime {

/// Replaces this host thread's last error and returns the previous one.
cudaError_t exchange_last_error(cudaError_t error) noexcept;

/// Resets errors as cudaDeviceReset does. After a failed kernel, the process cannot use a GPU
/// again: every later call that needs the device returns cudaErrorDevicesUnavailable.
void reset_errors() noexcept;

/// Calls visit(begin, bytes) for all variables that kernels or copies may change.
void for_each_changing_section(const std::function<void(char* begin, std::size_t bytes)>& visit);

/// The variables of one kind in a loaded module.
struct VariableSection {
  const char* begin;
  std::size_t bytes;
  Space space;
  bool can_change = true;
};
/// Registers a module's variables; the result unregisters them.
void* add_variables(const std::vector<VariableSection>& of_module);
void remove_variables(void* added) noexcept;

/// Restores the initial values of the program's device variables.
void restore_variables() noexcept;

/// During its lifetime, this thread runs a function that the program has put into a stream. Such
/// functions may not call the runtime.
class HostFunctionScope {
 public:
  HostFunctionScope() noexcept;
  ~HostFunctionScope();
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};
bool in_host_function() noexcept;

/// A call of the runtime API by the program, for memcheck's report of failures. Calls that it makes
/// internally are part of it.
class CallReport {
 public:
  CallReport() noexcept { ++depth_; }
  ~CallReport() { --depth_; }
  CallReport(const CallReport&) = delete;
  CallReport& operator=(const CallReport&) = delete;

  /// Sets the reason for reports of the running call, in case it fails; a literal.
  static void explain(const char* hint) noexcept { hint_ = hint; }
  /// Notes that the running call's failure was reported.
  static void mark_reported() noexcept { reported_ = true; }

  /// Called for each call that the program makes; the driver API uses it.
  using Notice = void (*)(const char* call);
  static void notice(Notice callback) noexcept { notice_ = callback; }

  /// Returns the address of the running call in the program.
  static const void* call_site() noexcept { return call_site_; }
  /// Returns the running call's name; null before the first one.
  static const char* call() noexcept { return call_; }

  void begin(const char* call, const void* call_site) noexcept;
  /// Reports a failure, unless it repeats a reported failure of an earlier kernel.
  void failed(const char* call, cudaError_t error);

 private:
  static Notice notice_;
  static thread_local int depth_;
  static thread_local const char* call_;
  static thread_local const void* call_site_;
  static thread_local const char* hint_;
  static thread_local bool reported_;
};

/// Runs `body` as a call of the runtime API, remembers its error for cudaGetLastError, and returns
/// it. `body` checks its arguments first and then, if it needs the device, sticky_error().
///
/// The function is inlined into the API function, so that the return address leads to the program.
template <class F>
[[gnu::always_inline]] inline cudaError_t api_call(const char* call, F&& body) {
  if (in_kernel()) unsupported("a call inside a kernel");
  CallReport report;
  report.begin(call, __builtin_return_address(0));
  cudaError_t error = cudaErrorNotPermitted;
  if (!in_host_function()) {
    try {
      error = body();
    } catch (const std::bad_alloc&) {
      error = cudaErrorMemoryAllocation;
    }
  }
  const bool is_answer = error == cudaErrorNotReady;  // which is not remembered
  if (error != cudaSuccess && !is_answer) {
    set_last_error(error);
    report.failed(call, error);
  }
  return error;
}
template <class F>
[[gnu::always_inline]] inline cudaError_t api_call(F&& body,
                                                   const char* call = __builtin_FUNCTION()) {
  return api_call(call, body);
}

inline constexpr int kDeviceCount = 1;
inline bool valid_device(int device) noexcept { return device >= 0 && device < kDeviceCount; }

/// What an address belongs to.
struct Place {
  Space space = Space::none;
  const char* begin = nullptr;   ///< of the allocation or variable
  std::size_t bytes = 0;         ///< of the allocation or variable
  unsigned host_flags = 0;       ///< for pinned memory, as allocated or registered
  bool registered = false;       ///< by cudaHostRegister
  cudaMemPool_t pool = nullptr;  ///< for stream-ordered memory, its pool
  bool by_kernel = false;        ///< by malloc or new in a kernel: host calls may not use it
};
Place place_of(const void* address) noexcept;

/// Whether a copy may access [address, address + bytes): ordinary host memory always, other memory
/// only inside one allocation or variable. `known`: not ordinary host memory.
struct RangeCheck {
  bool valid;
  bool known;
};
/// @param in_graph  the copy is a node of a graph, which may have allocated the memory by then
RangeCheck check_range(const void* address, std::size_t bytes, bool in_graph = false) noexcept;

/// Allocates memory; returns cudaErrorMemoryAllocation if the machine has no more. `bytes` is not
/// 0.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, unsigned host_flags = 0,
                     cudaMemPool_t pool = nullptr);

/// Frees the allocation that starts at `pointer`; returns false if there is none.
bool release(const void* pointer) noexcept;
void release_everything() noexcept;

/// Takes addresses for device memory of a graph, which is allocated and freed there again and
/// again; null if there are none.
void* reserve(std::size_t bytes);
/// Allocates memory at reserved addresses, without contents of before; false if there is no room.
/// release() frees it.
bool commit(void* pointer);
/// Lets calls take reserved memory for allocated, because the stream will have it by their turn.
void promise(const void* pointer, bool is_promised) noexcept;
/// Ends a reservation. Memory that is allocated there becomes an ordinary allocation.
void unreserve(const void* pointer) noexcept;

/// allocate() and release() for malloc and new in kernels, at this place in the program; null if
/// there is no more. From a launch's workers: the checks learn of it only from accesses.
void* allocate_for_kernel(std::size_t bytes, const void* kernel_line);
void release_for_kernel(const void* pointer) noexcept;
/// malloc and free for the running thread of a kernel; `line` is the place in the program.
/// @return null if there is no more
void* malloc_in_kernel(std::size_t bytes, const void* line);
void free_in_kernel(const void* pointer, const void* line);
/// All of it is gone, as everything else in the arena.
void forget_kernels_heap() noexcept;
/// Returns cudaLimitMallocHeapSize.
std::size_t kernels_heap_bytes() noexcept;

/// Returns the byte that initially fills cudaMalloc's memory, unless it is very large; negative:
/// zeros, as from the system (COURSE_MEMORY_FILL=off).
int fresh_byte() noexcept;

/// Returns the bytes that can still be allocated.
std::size_t free_bytes() noexcept;

/// Registers host memory for cudaHostRegister.
cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t unregister_host(void* pointer);

/// Records a variable's size, for checks of copies through its address.
void note_symbol(const void* symbol, std::size_t bytes);

void reset_pools() noexcept;
void destroy_streams_and_events() noexcept;

}  // namespace emu::runtime
