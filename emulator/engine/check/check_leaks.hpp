/// @file
/// leakcheck: device and managed memory that the program never frees.
#pragma once

namespace emu {

/// If leakcheck is on, adds a finding for every allocation of device or managed memory that is
/// still there. After a kernel that failed there are none: cudaFree frees nothing any more.
void find_leaks();

}  // namespace emu
