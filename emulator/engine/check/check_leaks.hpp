/// @file
/// leakcheck: device memory that the program never frees.
#pragma once

namespace emu {

/// Adds a finding for every allocation of device memory that is still there.
void find_leaks();

}  // namespace emu
