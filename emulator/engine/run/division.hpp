/// @file
/// Integer divisions that stop the processor and that a device completes.
#pragma once

#include <ucontext.h>

#include <string>

namespace emu {

/// Completes a division that has trapped: gives the registers of `stopped` the result that a device
/// computes, and moves the lane behind the instruction. Returns false, and changes nothing, if the
/// signal has another cause.
///
/// Results as on an H100 (recorded 2026-11-28). Division by zero sets all bits of the quotient, or
/// the lower 32 where a 64-bit dividend has an upper half of 0; the remainder is the dividend. (In
/// a kernel that computes the remainder alone, all of its bits are set instead; C++ leaves both
/// undefined.) The lowest number divided by -1 is itself, with remainder 0.
bool finish_division(ucontext_t& stopped);

/// Warns of the divisions by zero of the kernel that has just ended, once per source line.
void tell_of_divisions(const std::string& kernel);

}  // namespace emu
