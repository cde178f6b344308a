/// @file
/// initcheck for operands of library calls (cuBLAS).
#pragma once

#include <cstddef>

namespace emu {

/// Returns whether all of the bytes were written, as far as initcheck knows.
bool was_written(const void* begin, std::size_t bytes);

}  // namespace emu
