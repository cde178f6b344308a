/// @file
/// The emulator's functions and variables by their names, for modules. The build writes the table
/// from what the library has (write_tables.cpp).
#pragma once

#include <cstddef>

namespace emu::driver {

struct EngineSymbol {
  const char* name;
  void* address;         ///< null for a thread-local variable
  void* (*of_thread)();  ///< the calling thread's, if it is one
};

extern const EngineSymbol kEngineSymbols[];
extern const std::size_t kEngineSymbolCount;

}  // namespace emu::driver
