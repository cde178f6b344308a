#pragma once

/// @file
/// What a C++ source defines at namespace scope, found by its tokens.

#include <cstddef>
#include <string>
#include <vector>

#include "course/cpp_source.hpp"

namespace tools {

/// A function, a structure (class, union) or an array in constant memory.
struct Definition {
  enum class Kind { function, structure, constant_array };

  Kind kind;
  std::string name;
  bool is_kernel = false;
  std::size_t first_line = 0;  ///< from 0: of its template parameters or its first token
  std::size_t last_line = 0;   ///< of its last brace or its semicolon
};

/// In order. A source that has not been through the preprocessor will do: directives are skipped.
std::vector<Definition> definitions_in(const std::vector<std::string>& lines);

}  // namespace tools
