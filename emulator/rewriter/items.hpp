/// The declarations of a source, one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // a declaration is tokens

enum class ItemKind : std::uint8_t {
  group,     // a namespace, or extern "C" with braces
  type,      // a class with its members
  function,  // declared or defined
  other
};

/// A declaration in a file, a namespace or a class.
struct Item {
  Range tokens;
  ItemKind kind = ItemKind::other;
  std::size_t specifiers = kNoToken;  // behind the template headers
  std::size_t parameters = kNoToken;  // `(` of a function
  std::size_t body = kNoToken;        // `{` of a group, a class or a function
  bool is_host = false, is_device = false, is_kernel = false;  // what its qualifiers say
  bool is_constexpr = false;

  /// Whether there is a definition for device code, and for host code. A constexpr function serves
  /// both.
  bool runs_on_device() const {
    return is_kernel || is_device || (kind == ItemKind::function && is_constexpr && !is_host);
  }
  bool runs_on_host() const { return !is_kernel && (is_host || !is_device); }
};

/// The declarations between two braces, or in a whole file.
std::vector<Item> read_items(const Source& s, Range tokens);

/// What is declared: a name, and with functions its parameters, so that those of one key are one
/// function. Empty if nothing has a name.
std::string key_of(const Source& s, const Item& item);

/// The name alone; of an enumeration without one, nothing.
std::string name_of(const Source& s, const Item& item);

/// That name, and an enumeration's constants.
std::vector<std::string> names_of(const Source& s, const Item& item);

/// Words of a range with single blanks between them.
std::string spelled(const Source& s, Range tokens);

}  // namespace emulator_nvcc
