/// Links as the host compiler does, and makes shared libraries of CUDA code.
///
/// The engine and its thread-local variables belong to the program, so a shared library cannot
/// contain kernels. A linker script stands for the library: it names an archive of the library's
/// objects in the same folder, and everything else that the library was linked with. A program that
/// is linked with the script contains all of that.
#pragma once

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Name in `toolkit` of the program that calls `link_on_host`.
inline constexpr const char* kHostLinkName = "host-link";

/// Links as `compiler` would with `arguments`, except for `-shared`.
/// @return  the exit status
int link_on_host(const Command& compiler, const Command& arguments, const Toolchain& toolchain);

}  // namespace emulator_nvcc
