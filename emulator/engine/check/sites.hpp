/// @file
/// Numbers for the instructions of the program, short enough to be put into records.
#pragma once

#include <cstdint>

namespace emu {

/// The same for every worker. 0 once there are too many.
unsigned number_of_site(std::uintptr_t key);

/// The place in the text behind a site of a record; 0 if it is not known.
std::uintptr_t program_counter_of_site(unsigned site);

}  // namespace emu
