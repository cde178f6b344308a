/// @file
/// Mistakes of host code: calls that failed, memory that is not its own, and memory that a kernel
/// may still be using.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "driver_types.h"
#include "engine/count/cost.hpp"

namespace emu {

/// A call of the runtime returned `error`; `call_site` is in the program. `hint` may be empty.
void note_failed_call(const char* call, cudaError_t error, const void* call_site,
                      const std::string& hint);

/// A launch by `call` was refused; of a launch with <<<>>>, no return value tells that.
void note_failed_launch(const std::string& kernel, const char* call, cudaError_t error,
                        const void* call_site, const std::string& hint);

/// cudaFree of what is no allocation (any more); `call_site` is in the program.
void note_bad_free(const void* pointer, const void* call_site);

/// The host touched device memory, which ends the program.
void note_host_access(const void* address, const void* program_counter) noexcept;

/// Whether racecheck has seen a launch or an asynchronous copy that the host has not waited for
/// yet.
extern std::atomic<bool> launches_are_running;

/// Host code is about to access memory while these are running; by an atomic operation, load or
/// store if `is_atomic`.
void check_host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                       std::uintptr_t program_counter, bool is_atomic);

/// Whether a checked kernel has failed for a reason that is no finding, as a failed assert is: the
/// first call that returns the error is reported then.
extern std::atomic<bool> kernel_failure_is_untold;

/// Rows of bytes in memory, `pitch` apart, in slices.
struct HostBox {
  std::uintptr_t begin = 0;
  std::size_t width = 0, height = 1, depth = 1;  ///< in bytes, rows and slices
  std::size_t pitch = 0, slice = 0;              ///< bytes from row to row, and from slice to slice

  bool contains(std::uintptr_t byte) const;
};

/// An asynchronous copy or fill, which reads or writes `box` until the host has waited for it.
/// `call_site` is in the program.
void note_asynchronous(const HostBox& box, bool writes, const char* call, const void* call_site);

/// Everything that was launched so far is over, and the host knows it.
void note_host_waited() noexcept;

}  // namespace emu
