/// @file
/// Numbers for the instructions of the program, short enough for access records.
#pragma once

#include <cstdint>

namespace emu {

/// Returns the number of the instruction, which is the same for all workers; 0 if there are too
/// many.
unsigned number_of_site(std::uintptr_t key);

/// Returns the program counter of the instruction with this number; 0 if it is unknown.
std::uintptr_t program_counter_of_site(unsigned site);

}  // namespace emu
