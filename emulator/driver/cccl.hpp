/// NVIDIA's header libraries: Thrust, CUB and libcu++, which are CCCL. The emulator compiles those
/// that are installed, as any other device code.
#pragma once

#include <string>
#include <vector>

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// Whether a header, as it is included, has a name of CCCL's: `thrust/sort.h`.
bool is_header_of_cccl(const std::string& header);

/// The folder of CCCL that has this header. Empty if there is none.
std::string cccl_with(const std::string& header, const Toolchain& toolchain);

/// Where CCCL lies, if the preprocessor has read some of it among the system's other headers; else
/// empty. There, the emulator's own parts of libcu++ come before it.
std::string cccl_read_in(const std::string& preprocessed, const Toolchain& toolchain);

/// The folders among the options -I and -isystem that are CCCL's, or a part of it.
std::vector<std::string> cccl_folders_in(const Command& options);

/// What the preprocessor is told besides.
Command options_of_cccl(const std::vector<std::string>& folders);

/// And the compiler.
Command flags_for_cccl();

}  // namespace emulator_nvcc
