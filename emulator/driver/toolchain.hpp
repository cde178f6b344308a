/// Where the compiler, the emulator's headers and its library are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace emulator_nvcc {

struct Toolchain {
  std::string compiler;            // g++
  std::vector<std::string> flags;  // of every call of it: where a cross compiler's libraries are
  std::string archiver = "ar";
  std::vector<std::string> includes;    // folders of headers, that of cuda_runtime.h first
  std::vector<std::string> link_flags;  // of every link
  std::filesystem::path toolkit;        // folder with bin, include and lib64, as CUDA's; or empty
  std::string precompiled;              // a header that includes cuda_runtime.h, or empty
  std::string cccl;                     // folder of links to where Debian keeps CCCL, or empty
  std::string plugin;                   // what teaches the compiler a device's arithmetic, or empty
};

/// Reads `emulator-nvcc.conf` beside this program, which the build wrote.
/// @throws Failure  if it is missing or incomplete
Toolchain read_toolchain();

/// The same from any file: lines `compiler = ...` and, once or more, `include = ...`; `flag = ...`,
/// `link = ...`, `toolkit = ...`, `archiver = ...`, `precompiled = ...`, `cccl = ...` and
/// `plugin = ...` may be missing. Folders and files that are not absolute begin in the folder of
/// `file`, so that what is installed may lie anywhere; a compiler without a slash is looked for in
/// PATH. Lines `part = ...` are for whoever confines this program: files that it needs besides.
Toolchain read_toolchain(const std::filesystem::path& file);

/// `-I` and each of the folders.
std::vector<std::string> include_options(const Toolchain& toolchain);

}  // namespace emulator_nvcc
