/// @file
/// What the parts of the runtime know of one another: how a call begins and ends, and the arena
/// that all memory comes from.
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

/// Replaces this host thread's last error, returns the one before.
cudaError_t exchange_last_error(cudaError_t error) noexcept;

/// What cudaDeviceReset does to errors. After a kernel that failed, a GPU cannot be used again by
/// the same process: every later call that needs it returns cudaErrorDevicesUnavailable.
void reset_errors() noexcept;

/// Calls visit(begin, bytes) for all of the program's variables that kernels or copies may change.
void for_each_changing_section(const std::function<void(char* begin, std::size_t bytes)>& visit);

/// Variables of one kind in a module that the program has loaded.
struct VariableSection {
  const char* begin;
  std::size_t bytes;
  Space space;
  bool can_change = true;
};
/// Makes a module's variables known; what comes back takes them away again.
void* add_variables(const std::vector<VariableSection>& of_module);
void remove_variables(void* added) noexcept;

/// Gives the program's variables on the device the values with which it began.
void restore_variables() noexcept;

/// While one lives, this thread runs a function that the program put into a stream, which may not
/// call the runtime.
class HostFunctionScope {
 public:
  HostFunctionScope() noexcept;
  ~HostFunctionScope();
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};
bool in_host_function() noexcept;

/// A call of the runtime API by the program, for memcheck's report of its failure. What one call
/// makes of others, on its way, is a part of it.
class CallReport {
 public:
  CallReport() noexcept { ++depth_; }
  ~CallReport() { --depth_; }
  CallReport(const CallReport&) = delete;
  CallReport& operator=(const CallReport&) = delete;

  /// What the report of the running call may say of the reason, should it fail; a literal.
  static void explain(const char* hint) noexcept { hint_ = hint; }
  /// The running call's failure is reported already.
  static void is_told() noexcept { told_ = true; }

  /// Whoever wants to know of each call that the program makes; the driver API does.
  using Notice = void (*)(const char* call);
  static void notice(Notice told) noexcept { noticed_ = told; }

  /// Where the program makes the running call.
  static const void* call_site() noexcept { return call_site_; }
  /// The running call's name; null before the first one.
  static const char* call() noexcept { return call_; }

  void begin(const char* call, const void* call_site) noexcept;
  /// Reports the failure, unless it is that of an earlier kernel which is reported already.
  void failed(const char* call, cudaError_t error);

 private:
  static Notice noticed_;
  static thread_local int depth_;
  static thread_local const char* call_;
  static thread_local const void* call_site_;
  static thread_local const char* hint_;
  static thread_local bool told_;
};

/// One call of the runtime API: runs `body`, remembers its error for cudaGetLastError, returns it.
/// `body` checks its arguments first and then, if the device is needed, sticky_error().
///
/// It is a part of the function that the program calls: the return address leads to the program.
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
  const bool is_answer = error == cudaErrorNotReady;  // which no thread remembers
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
  unsigned host_flags = 0;       ///< pinned memory: as allocated or registered
  bool registered = false;       ///< by cudaHostRegister
  cudaMemPool_t pool = nullptr;  ///< stream-ordered memory: where it came from
  bool by_kernel = false;        ///< by malloc or new in a kernel: not for the host's calls
};
Place place_of(const void* address) noexcept;

/// Whether a copy may touch [address, address + bytes): ordinary host memory always, anything else
/// only inside one allocation or variable. `known`: not ordinary host memory.
struct RangeCheck {
  bool valid;
  bool known;
};
/// @param in_graph  the copy is a node of a graph, which may have allocated the memory by then
RangeCheck check_range(const void* address, std::size_t bytes, bool in_graph = false) noexcept;

/// New memory; cudaErrorMemoryAllocation if the machine has no more. `bytes` is not 0.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, unsigned host_flags = 0,
                     cudaMemPool_t pool = nullptr);

/// Frees what starts at `pointer`; false if no allocation of the runtime does.
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
/// cudaLimitMallocHeapSize
std::size_t kernels_heap_bytes() noexcept;

/// What cudaMalloc's memory is full of at first, if it is not very large; negative: of zeros, as
/// the system gives it (COURSE_MEMORY_FILL=off).
int fresh_byte() noexcept;

/// Bytes that allocate would still give, and that it has given.
std::size_t free_bytes() noexcept;

/// cudaHostRegister's book.
cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t unregister_host(void* pointer);

/// Remembers how large a variable is, for checks of copies through its address.
void note_symbol(const void* symbol, std::size_t bytes);

void reset_pools() noexcept;
void destroy_streams_and_events() noexcept;

}  // namespace emu::runtime
