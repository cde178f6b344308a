/// @file
/// Mistakes of host code: calls that fail, accesses to memory that is not the host's, and accesses
/// to memory that a kernel may still be using.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "driver_types.h"
#include "engine/count/cost.hpp"

namespace emu {

/// Reports that a runtime call, made at `call_site` in the program, returned `error`. `hint` may be
/// empty.
void note_failed_call(const char* call, cudaError_t error, const void* call_site,
                      const std::string& hint);

/// Reports that a launch by `call` was refused. Needed for <<<>>>, which returns nothing.
void note_failed_launch(const std::string& kernel, const char* call, cudaError_t error,
                        const void* call_site, const std::string& hint);

/// Reports a cudaFree, made at `call_site`, of a pointer that is not (or no longer) an allocation.
void note_bad_free(const void* pointer, const void* call_site);

/// Reports that host code has accessed device memory, and ends the program.
void note_host_access(const void* address, const void* program_counter) noexcept;

/// Whether racecheck knows of a launch or an asynchronous copy that the host has not waited for.
extern std::atomic<bool> launches_are_running;

/// Checks an access of host code that is about to be made while launches_are_running. `is_atomic`
/// is true for atomic operations, loads and stores.
void check_host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                       std::uintptr_t program_counter, bool is_atomic);

/// Whether a checked kernel has failed without a finding, by a failed assert for example. Then the
/// first call that returns the error is reported.
extern std::atomic<bool> kernel_failure_is_untold;

/// A box in memory: rows of bytes, `pitch` apart, in slices.
struct HostBox {
  std::uintptr_t begin = 0;
  std::size_t width = 0, height = 1, depth = 1;  ///< in bytes, rows and slices
  /// Bytes from one row to the next, and from one slice to the next.
  std::size_t pitch = 0, slice = 0;

  bool contains(std::uintptr_t byte) const;
};

/// Records an asynchronous copy or fill, made at `call_site`, that reads or writes `box` until the
/// host has waited for it.
void note_asynchronous(const HostBox& box, bool writes, const char* call, const void* call_site);

/// Records that the host has waited for everything launched so far.
void note_host_waited() noexcept;

}  // namespace emu
