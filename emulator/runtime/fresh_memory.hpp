/// @file
/// Hints that a program's results may come from uninitialised memory. Without checks, a run does
/// not record writes, but fresh memory is filled with one byte, which a copy to the host reveals.
#pragma once

#include <cstddef>

namespace emu::runtime {

/// Examines some of the bytes that a call is about to copy to the host. If they look like fresh
/// memory of cudaMalloc, a line on stderr says so when the program ends.
/// @param call_site  the call's address in the program
void note_copied_to_host(const void* source, std::size_t bytes, const void* call_site);

}  // namespace emu::runtime
