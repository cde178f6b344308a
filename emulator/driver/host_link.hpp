/// Links as the host compiler would, and makes shared libraries of CUDA code.
///
/// The engine and its thread-local variables belong to the program itself, so no shared library can
/// hold kernels. What stands for one is a linker script: it names an archive of the library's
/// objects, which lies beside it, and all else that the library was linked with. A program that is
/// linked with the script has all of that inside.
#pragma once

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// What `toolkit` calls the program that does `link_on_host`.
inline constexpr const char* kHostLinkName = "host-link";

/// Does what `compiler` would with a link's `arguments`, but for `-shared`.
/// @return  the status to exit with
int link_on_host(const Command& compiler, const Command& arguments, const Toolchain& toolchain);

}  // namespace emulator_nvcc
