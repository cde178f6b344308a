/// NVIDIA's header libraries Thrust, CUB and libcu++, together called CCCL. The emulator compiles
/// installed ones like any other device code.
#pragma once

#include <string>
#include <vector>

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Returns whether an included name belongs to CCCL: `thrust/sort.h`.
bool is_header_of_cccl(const std::string& header);

/// Returns the folder of CCCL that has this header; empty if there is none.
std::string cccl_with(const std::string& header, const Toolchain& toolchain);

/// Returns CCCL's folder if the preprocessor has read headers of CCCL from the system's include
/// folders; otherwise empty. There, the emulator's own parts of libcu++ must come first.
std::string cccl_read_in(const std::string& preprocessed, const Toolchain& toolchain);

/// Returns the folders in the options -I and -isystem that contain CCCL or a part of it.
std::vector<std::string> cccl_folders_in(const Command& options);

/// Returns further options for the preprocessor.
Command options_of_cccl(const std::vector<std::string>& folders);

/// Returns further flags for the compiler.
Command flags_for_cccl();

}  // namespace emulator_nvcc
