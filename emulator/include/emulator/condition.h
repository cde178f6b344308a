/// @file
/// Conditions of graphs, as kernels set them.
#pragma once

namespace emu {

/// Sets the value that a conditional node goes by.
void set_condition(unsigned long long handle, unsigned value) noexcept;

}  // namespace emu
