/// Writes modules for -ptx, -cubin and -fatbin, for programs that load kernels by name.
///
/// All three are shared objects, which the emulator's driver API loads (driver_api/module.cpp). A
/// .ptx file encodes it as text, because programs read PTX as a zero-terminated string.
#pragma once

#include <string>

#include "cuda_compilation.hpp"
#include "nvcc_options.hpp"
#include "process.hpp"

namespace emulator_nvcc {

/// Returns `.ptx`, `.cubin` or `.fatbin`.
const char* suffix_of(ModuleKind kind);

/// Makes a module from an object that was compiled for one.
/// @return  the exit status
int link_module(const Command& compiler, const std::string& object, ModuleKind kind,
                const std::string& output, Trace trace);

}  // namespace emulator_nvcc
