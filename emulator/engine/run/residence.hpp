/// @file
/// How many blocks of a launch a device holds at once.
#pragma once

#include <cstdint>

namespace emu {

struct Launch;

/// As threads and shared memory allow. Registers are not looked at: they belong to the assembly of
/// a real compiler.
std::uint64_t resident_blocks(const Launch& launch);

}  // namespace emu
