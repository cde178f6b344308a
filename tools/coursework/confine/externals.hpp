/// @file
/// The functions outside of a submission that it may call.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coursework::confine {

/// An argument that points to memory which the called function reads or writes.
struct PointerArgument {
  std::string reg;       ///< "rdi"
  std::string size_reg;  ///< a 4-byte register with the number of bytes; empty: `bytes`
  unsigned bytes = 0;
  const char* check = nullptr;  ///< the guard's function that checks the argument
};

struct External {
  std::string symbol;  ///< the function to call instead: itself or the guard's replacement
  std::vector<PointerArgument> pointers;
  bool returns = true;
  bool ends_tickets = false;  ///< other lanes may run before it returns
  bool is_hook = false;       ///< a hook of g++'s instrumentation
  bool looks_at_load = false;
  unsigned hook_bytes = 0;  ///< 0: given by the second argument
};

/// Returns the function; nothing if a submission may not call it.
std::optional<External> find_external(const std::string& symbol);

/// Returns whether a confined submission's object may leave this symbol undefined.
bool may_be_undefined(const std::string& symbol);

/// Returns the readable name of the function with this symbol.
std::string demangled(const std::string& symbol);

/// Returns the name in quotes for a message to students; empty for functions that only the
/// emulator's headers call.
std::string name_for_student(const std::string& symbol);

}  // namespace coursework::confine
