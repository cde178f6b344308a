/// @file
/// leakcheck: device and managed memory that the program never frees.
#pragma once

namespace emu {

/// Adds a finding for every allocation of device or managed memory that still exists, if leakcheck
/// is on. Adds none after a kernel has failed, because cudaFree frees nothing from then on.
void find_leaks();

}  // namespace emu
