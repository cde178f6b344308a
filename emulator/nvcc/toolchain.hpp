/// Where the compiler, the emulator's headers and its library are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace emulator_nvcc {

struct Toolchain {
  std::string compiler;                  // g++
  std::string include;                   // folder of cuda_runtime.h
  std::vector<std::string> link_inputs;  // the emulator's library and what it needs, in order
};

/// Reads `emulator-nvcc.conf` beside this program, which the build wrote.
/// @throws Failure  if it is missing or incomplete
Toolchain read_toolchain();

/// The same from any file: lines `compiler = ...`, `include = ...` and, once or more, `link = ...`.
Toolchain read_toolchain(const std::filesystem::path& file);

}  // namespace emulator_nvcc
