/// @file
/// A hint for programs whose results may come from memory that nothing wrote. A run without checks
/// does not know who wrote what, but fresh memory is full of one byte, and a copy to the host shows
/// it.
#pragma once

#include <cstddef>

namespace emu::runtime {

/// Looks at some of the bytes that a call is about to copy to the host. If they look as cudaMalloc
/// has left them, one line on stderr says so when the program ends.
/// @param call_site  in the program
void note_copied_to_host(const void* source, std::size_t bytes, const void* call_site);

}  // namespace emu::runtime
