/// Finds the functions that a CUDA source defines and declares, in namespaces and in classes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "course/cpp_source.hpp"

namespace course::cpp {

/// A definition of a function, in a namespace or in a class. Positions are tokens.
struct Definition {
  std::size_t begin;  ///< begin of the declaration
  std::size_t name;
  std::size_t body;       ///< begin of what a declaration lacks: `: x(1) {...}` or `{...}`
  std::size_t last;       ///< last brace of the body
  bool is_global;         ///< in no class and no namespace, like a kernel may be
  bool is_member;         ///< defined in a class
  bool is_for_device;     ///< __global__, __device__, constexpr or consteval
  bool is_constant_only;  ///< only constexpr or consteval: mostly evaluated by the compiler
};

/// A declaration that ends with a semicolon.
struct Declaration {
  std::size_t begin, name, end;
  bool is_global;
  bool is_for_device;
};

struct Functions {
  std::vector<Definition> definitions;
  std::vector<Declaration> declarations;
};

/// @param own [token] whether to consider it; false for tokens of other files
Functions find_functions(const Source& source, const std::vector<bool>& own);

/// Returns whether one of the tokens in [begin, end) is this word.
bool has_word(const Source& source, std::size_t begin, std::size_t end, std::string_view word);

}  // namespace course::cpp
