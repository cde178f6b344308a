/// The functions that a CUDA source defines and declares, in namespaces and in classes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "course/cpp_source.hpp"

namespace course::cpp {

/// A definition of a function, in a namespace or in a class. All places are tokens.
struct Definition {
  std::size_t begin;  ///< of the declaration
  std::size_t name;
  std::size_t body;       ///< what g++ may do without: `: x(1) {...}` or `{...}`
  std::size_t last;       ///< the body's last brace
  bool is_global;         ///< in no class and no namespace: a kernel can be
  bool is_member;         ///< defined in a class
  bool is_for_device;     ///< __global__, __device__, constexpr or consteval
  bool is_constant_only;  ///< constexpr or consteval alone: code for the compiler, mostly
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

/// @param own  [token] whether to look at it: other files' may be left out
Functions find_functions(const Source& source, const std::vector<bool>& own);

/// Whether one of the tokens from `begin` to `end` is this word.
bool has_word(const Source& source, std::size_t begin, std::size_t end, std::string_view word);

}  // namespace course::cpp
