/// The replacement for nvcc: from its command line to objects and programs.
#pragma once

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Runs nvcc's command line for the emulator.
/// @return  the exit status
int run_nvcc(const Command& arguments, const Toolchain& toolchain);

}  // namespace emulator_nvcc
