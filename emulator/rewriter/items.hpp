/// Splits a source into its declarations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // declarations are tokens

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
  std::size_t specifiers = kNoToken;  // first token behind the template headers
  std::size_t parameters = kNoToken;  // `(` of a function
  std::size_t body = kNoToken;        // `{` of a group, a class or a function
  bool is_host = false, is_device = false, is_kernel = false;  // from its qualifiers
  bool is_constexpr = false;

  /// Return whether the item has a definition for device code, or for host code. A constexpr
  /// function has both.
  bool runs_on_device() const {
    return is_kernel || is_device || (kind == ItemKind::function && is_constexpr && !is_host);
  }
  bool runs_on_host() const { return !is_kernel && (is_host || !is_device); }
};

/// Returns the declarations between two braces, or in a whole file.
std::vector<Item> read_items(const Source& s, Range tokens);

/// Returns a key that equal declarations share: the name, and for functions the parameters. Empty
/// if there is no name.
std::string key_of(const Source& s, const Item& item);

/// Returns the name alone; empty for an unnamed enumeration.
std::string name_of(const Source& s, const Item& item);

/// Returns that name, and the constants of an enumeration.
std::vector<std::string> names_of(const Source& s, const Item& item);

/// Returns the words of a range, separated by single blanks.
std::string spelled(const Source& s, Range tokens);

}  // namespace emulator_nvcc
