/// @file
/// Divisions of integers at which the processor stops and a device does not.
#pragma once

#include <ucontext.h>

#include <string>

namespace emu {

/// Gives the division that has stopped the calling lane the result that it has on a device, and
/// lets the lane go on behind it. Nothing happens, and the result is false, where the lane has been
/// stopped by something else.
///
/// As an H100 does (2026-11-28): divided by zero, all bits of the quotient are set, or the lower 32
/// where 64 bits are divided whose upper half is 0; and the remainder is the dividend. (A kernel
/// that asks for the remainder alone finds all its bits set there; both are as undefined in C++.)
/// The lowest number divided by -1 is itself, and 0 remains.
bool finish_division(ucontext_t& stopped);

/// Warns of the divisions by zero of the kernel that has just ended, once for each line.
void tell_of_divisions(const std::string& kernel);

}  // namespace emu
