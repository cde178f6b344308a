/// @file
/// Objects with kernels that the program loads while it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace emu {

/// A loaded module. Its file is only needed until it is added.
struct ModuleFile {
  std::string name;           ///< for debug information
  int descriptor = -1;        ///< of its file
  std::uintptr_t bias = 0;    ///< from its own addresses to those in memory
  std::size_t shared_offset;  ///< of its thread-local data in the program's
  std::string_view places;    ///< its records (place_records.hpp), in memory for good
};

/// Before the first module is loaded: what is known of the program's files is about those that it
/// began with.
void prepare_for_modules();

/// Makes known what the module's functions, variables and lines are. There is no way back: reports
/// tell of a kernel when the program ends.
void add_module(const ModuleFile& module);

/// What stands for the module that the code is in; null for the program's own code.
const void* module_of(const void* code) noexcept;

}  // namespace emu
