/// @file
/// The functions outside of a submission that its code may call.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coursework::confine {

/// An argument that points to memory which the called function reads or changes.
struct PointerArgument {
  std::string reg;       ///< "rdi"
  std::string size_reg;  ///< the register, of 4 bytes, that says how many bytes; empty: `bytes`
  unsigned bytes = 0;
  const char* check = nullptr;  ///< the guard's function that looks at it
};

struct External {
  std::string symbol;  ///< what is called in its place: itself, or the guard's stand-in
  std::vector<PointerArgument> pointers;
  bool returns = true;
  bool ends_tickets = false;  ///< others may run before it returns
  bool is_hook = false;       ///< of g++'s instrumentation:
  bool looks_at_load = false;
  unsigned hook_bytes = 0;  ///< 0: the second argument says it
};

/// Nothing if a submission may not call it.
std::optional<External> find_external(const std::string& symbol);

/// Whether the object of a confined submission may need this symbol from elsewhere.
bool may_be_undefined(const std::string& symbol);

/// What a person calls the function with this symbol.
std::string demangled(const std::string& symbol);

/// The same in quotes, as a sentence for students has it; empty for a function that they cannot
/// know, because headers of the emulator call it.
std::string name_for_student(const std::string& symbol);

}  // namespace coursework::confine
