/// @file
/// Calls of libraries that stand for CUDA's: nothing of them is counted, which reports say.
#pragma once

namespace emu {

/// Remembers a call, if counters or a profile were asked for; one line on stderr at the end names
/// all of them. `name` is a literal.
void note_library_call(const char* name);

}  // namespace emu
