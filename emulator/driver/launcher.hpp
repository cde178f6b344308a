/// CMake's compiler launcher: a g++ command line whose source may be a .cu file.
#pragma once

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Compiles the .cu file of `command` (`g++ flags -c x.cu -o x.o`) for the emulator; any other
/// command replaces this process unchanged. With `--precompiled=HEADER` among the flags, HEADER,
/// which includes cuda_runtime.h, is included before the source, precompiled in HEADER.gch.
int launch_compiler(const Command& command, Toolchain toolchain);

}  // namespace emulator_nvcc
