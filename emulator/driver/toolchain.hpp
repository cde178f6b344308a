/// Paths of the compiler, the emulator's headers and its library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace emulator_nvcc {

struct Toolchain {
  std::string compiler;  // g++
  // For every call of the compiler: where a cross compiler's libraries are.
  std::vector<std::string> flags;
  std::string archiver = "ar";
  std::vector<std::string> includes;    // include folders, that of cuda_runtime.h first
  std::vector<std::string> link_flags;  // for every link
  std::filesystem::path toolkit;        // folder with bin, include and lib64, like CUDA's; or empty
  std::string precompiled;              // header that includes cuda_runtime.h; or empty
  std::string cccl;                     // folder of links to Debian's CCCL; or empty
  std::string plugin;                   // compiler plugin for a device's arithmetic; or empty
};

/// Reads `emulator-nvcc.conf` in this program's folder, which the build wrote.
/// @throws Failure  if it is missing or incomplete
Toolchain read_toolchain();

/// Reads any such file. It has lines `compiler = ...` and, once or more, `include = ...`; optional
/// are `flag = ...`, `link = ...`, `toolkit = ...`, `archiver = ...`, `precompiled = ...`, `cccl =
/// ...` and `plugin = ...`. Relative paths start at the folder of `file`, so that an installation
/// may be anywhere; a compiler without a slash is searched in PATH. Lines `part = ...` list further
/// files that this program needs when it is confined.
Toolchain read_toolchain(const std::filesystem::path& file);

/// Returns `-I` and each of the folders.
std::vector<std::string> include_options(const Toolchain& toolchain);

}  // namespace emulator_nvcc
