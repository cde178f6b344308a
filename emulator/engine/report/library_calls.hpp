/// @file
/// Calls of libraries that replace CUDA's (cuBLAS). They are not counted, and reports say so.
#pragma once

namespace emu {

/// Records a call, if counters or a profile were requested. At the end, one line on stderr names
/// all calls. `name` must be a literal.
void note_library_call(const char* name);

}  // namespace emu
