#pragma once

/// @file
/// Finds the definitions at namespace scope of a C++ source by its tokens.

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
  std::size_t first_line = 0;  ///< from 0; begins with the template parameters, if any
  std::size_t last_line = 0;   ///< the line of the last brace or the semicolon
};

/// Returns the definitions in order. The source need not be preprocessed: directives are skipped.
std::vector<Definition> definitions_in(const std::vector<std::string>& lines);

}  // namespace tools
