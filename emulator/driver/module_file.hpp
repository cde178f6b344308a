/// Modules: what -ptx, -cubin and -fatbin write, for programs that load kernels by their names.
///
/// All three are a shared object, which the emulator's driver API loads (driver_api/module.cpp). In
/// a .ptx file it is written as text, because programs read PTX as a string that a zero ends.
#pragma once

#include <string>

#include "cuda_compilation.hpp"
#include "nvcc_options.hpp"
#include "process.hpp"

namespace emulator_nvcc {

/// `.ptx`, `.cubin` or `.fatbin`
const char* suffix_of(ModuleKind kind);

/// Makes a module of an object that was compiled for one.
/// @return  the status to exit with
int link_module(const Command& compiler, const std::string& object, ModuleKind kind,
                const std::string& output, Trace trace);

}  // namespace emulator_nvcc
