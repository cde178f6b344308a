/// The drop-in nvcc: from its command line to objects and programs.
#pragma once

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Does what nvcc would with these arguments, for the emulator.
/// @return  the status to exit with
int run_nvcc(const Command& arguments, const Toolchain& toolchain);

}  // namespace emulator_nvcc
