/// The part of the C++ grammar that the rewrites need, on tokens.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "course/cpp_source.hpp"

namespace course::cpp {

/// The tokens [first, last).
struct Range {
  std::size_t first;
  std::size_t last;
  bool empty() const { return first >= last; }
};

bool is_keyword(std::string_view word);
/// Returns whether the word is a keyword that names a type or a part of one: int, unsigned, void,
/// auto, ...
bool is_type_keyword(std::string_view word);
/// Returns whether the word is const, volatile, restrict or the like, or one of CUDA's parameter
/// qualifiers.
bool is_qualifier(std::string_view word);
/// Returns whether the word is struct, class, union or enum.
bool is_class_key(std::string_view word);

/// Returns whether the token is an identifier and no keyword.
bool is_name(const Source& s, std::size_t token);

/// Returns whether a `<` `<` `<` that opens a launch configuration begins here.
bool opens_launch(const Source& s, std::size_t token);

/// Returns the `>` that closes the template arguments or parameters whose `<` is `open`.
std::optional<std::size_t> close_angle(const Source& s, std::size_t open);

/// Returns the first of the three `>` that close the launch configuration whose first `<` is
/// `open`.
std::optional<std::size_t> close_launch(const Source& s, std::size_t open);

/// Returns the first token of the postfix expression that ends just before `end`.
std::size_t postfix_begin(const Source& s, std::size_t end);

/// Returns the first token of the possibly qualified name that ends with `last`, including template
/// arguments of its scopes: `std::vector<int>::size`.
std::size_t qualified_name_begin(const Source& s, std::size_t last);

/// Returns the end of the name that begins at `first`, including a leading `::`, scopes and
/// template arguments; `first` itself if there is no name. `name` is set to the last identifier.
std::size_t skip_qualified_name(const Source& s, std::size_t first, std::size_t* name = nullptr);

/// Returns the end of an attribute: `[[...]]`, `__attribute__((...))`, `alignas(...)`; `first`
/// itself if there is none.
std::size_t skip_attribute(const Source& s, std::size_t first);

/// Returns the end of the requires-clause whose `requires` is `first`.
std::size_t skip_requires_clause(const Source& s, std::size_t first);

/// Splits a list at its commas outside all brackets and template arguments.
std::vector<Range> split_at_commas(const Source& s, Range list);

/// A parameter of a function or of a template.
struct Parameter {
  std::size_t name = kNoToken;         // its name, or none
  std::size_t insert_name = kNoToken;  // token after which a missing name belongs
  bool pack = false;
};

Parameter read_function_parameter(const Source& s, Range tokens);
Parameter read_template_parameter(const Source& s, Range tokens);

/// Returns whether the tokens between two parentheses may declare parameters rather than
/// initialise.
bool looks_like_parameters(const Source& s, Range tokens);

}  // namespace course::cpp
