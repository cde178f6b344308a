/// @file
/// leakcheck: device memory that the program never frees. And other mistakes of host code.
#pragma once

#include <cstddef>

namespace emu {

/// Adds a finding for every allocation of device memory that is still there.
void find_leaks();

/// cudaFree of what is no allocation (any more); `call_site` is in the program.
void note_bad_free(const void* pointer, const void* call_site);

/// The host touched device memory, which ends the program.
void note_host_access(const void* address, const void* program_counter) noexcept;

}  // namespace emu
