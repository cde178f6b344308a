/// @file
/// initcheck of what a library uses, which stands for one of CUDA's.
#pragma once

#include <cstddef>

namespace emu {

/// Whether all these bytes were written, as far as initcheck knows.
bool was_written(const void* begin, std::size_t bytes);

}  // namespace emu
