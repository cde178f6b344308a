/// @file
/// Loads a module's shared object into the program.
///
/// The system cannot load a kernel's shared object unchanged: shared memory and the built-in
/// variables are thread-local variables of the program. So the object's references to the emulator
/// are resolved beforehand, and its own thread-local variables get a place among the program's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/launch.h"
#include "emulator/memory.h"

namespace emu::driver {

/// A function or a variable of a module.
struct ModuleSymbol {
  std::string name;  ///< as programs ask for it
  char* address = nullptr;
  std::size_t bytes = 0;
};

struct ModuleKernelEntry {
  std::string name;
  const void* address = nullptr;
  const KernelRecord* record = nullptr;
};

struct ModuleVariable {
  ModuleSymbol symbol;
  Space space = Space::none;
};

/// The contents of a loaded module.
struct SharedObject {
  std::vector<ModuleKernelEntry> kernels;
  std::vector<ModuleVariable> variables;
  void* sections = nullptr;  ///< of runtime::add_variables
};

/// Returns whether an ELF object begins at this address.
bool is_elf(const char* bytes) noexcept;
/// Returns the size of that object, from its header.
std::size_t size_of_elf(const char* bytes) noexcept;

/// Returns why an object cannot be loaded; empty if it can.
std::string reason_against(std::string_view object);

/// Returns the name, as programs ask for it, of the kernel or variable that one of the object's
/// pointers leads to; empty if there is no such pointer.
std::string name_behind(std::string_view object, std::string_view pointer);

/// Loads a copy of the object with variables of its own, and makes its kernels known to the engine.
/// Its code stays until the program ends, because reports tell of it.
/// @throws std::runtime_error  with a reason, if the system refuses it
SharedObject load_object(const std::string& object, const std::string& name);

}  // namespace emu::driver
