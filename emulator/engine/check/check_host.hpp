/// @file
/// Mistakes of host code: calls that failed, memory that is not its own, and memory that a kernel
/// may still be using.
#pragma once

#include <atomic>
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

/// Whether racecheck has seen a launch that the host has not waited for yet.
extern std::atomic<bool> launches_are_running;

/// Host code is about to access memory while launches are running; by an atomic operation, load or
/// store if `is_atomic`.
void check_host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                       std::uintptr_t program_counter, bool is_atomic);

/// Whether a checked kernel has failed for a reason that is no finding, as a failed assert is: the
/// first call that returns the error is reported then.
extern std::atomic<bool> kernel_failure_is_untold;

/// Everything that was launched so far is over, and the host knows it.
void note_host_waited() noexcept;

}  // namespace emu
