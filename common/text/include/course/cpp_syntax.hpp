/// The little C++ grammar that the rewrites need, on tokens.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "course/cpp_source.hpp"

namespace course::cpp {

/// Tokens first...last-1.
struct Range {
  std::size_t first;
  std::size_t last;
  bool empty() const { return first >= last; }
};

bool is_keyword(std::string_view word);
/// A keyword that names a type or a part of one: int, unsigned, void, auto, ...
bool is_type_keyword(std::string_view word);
/// const, volatile, restrict and the like, and CUDA's parameter qualifiers.
bool is_qualifier(std::string_view word);
/// struct, class, union, enum
bool is_class_key(std::string_view word);

/// Whether the token is an identifier of the program's own: no keyword.
bool is_name(const Source& s, std::size_t token);

/// Whether `<` `<` `<` that opens a launch configuration begins here.
bool opens_launch(const Source& s, std::size_t token);

/// The `>` that closes the template arguments or parameters whose `<` is `open`.
std::optional<std::size_t> close_angle(const Source& s, std::size_t open);

/// The first of the three `>` that close the launch configuration whose first `<` is `open`.
std::optional<std::size_t> close_launch(const Source& s, std::size_t open);

/// First token of the postfix expression that ends just before `end`.
std::size_t postfix_begin(const Source& s, std::size_t end);

/// First token of the possibly qualified name that ends with `last`, template arguments of its
/// scopes included: `std::vector<int>::size`.
std::size_t qualified_name_begin(const Source& s, std::size_t last);

/// One past the name with its template arguments, if any, that begins at `first`, a leading `::`
/// and scopes included; `first` itself if no name stands there. `name` becomes the last identifier.
std::size_t skip_qualified_name(const Source& s, std::size_t first, std::size_t* name = nullptr);

/// One past an attribute: `[[...]]`, `__attribute__((...))`, `alignas(...)`; `first` itself if
/// none.
std::size_t skip_attribute(const Source& s, std::size_t first);

/// One past a requires-clause whose `requires` is `first`.
std::size_t skip_requires_clause(const Source& s, std::size_t first);

/// The parts of a list, cut at its commas outside all brackets and template arguments.
std::vector<Range> split_at_commas(const Source& s, Range list);

/// What the rewrites ask of one parameter of a function or of a template.
struct Parameter {
  std::size_t name = kNoToken;         // its name, or none
  std::size_t insert_name = kNoToken;  // token after which a missing name belongs
  bool pack = false;
};

Parameter read_function_parameter(const Source& s, Range tokens);
Parameter read_template_parameter(const Source& s, Range tokens);

/// Whether what stands between two parentheses could declare parameters, rather than initialise.
bool looks_like_parameters(const Source& s, Range tokens);

}  // namespace course::cpp
