#pragma once

/// @file
/// Parses Markdown as the proofreader needs it: lines, sentences, unbound numbers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prose {

/// Returns the number of characters of a UTF-8 line.
std::size_t columns_of(std::string_view line);

/// Returns whether a line of text is too long although it could be broken. Images, links and text
/// without blanks cannot be broken.
bool is_too_long(const std::string& line);

/// Returns the first number in `text` that has a unit, a comma, or at least five digits. Code and
/// addresses are ignored.
std::optional<std::string> unbound_number(const std::string& text);

/// Returns the sentence of `paragraph` around the character `at`, without comments.
std::string sentence_around(const std::string& paragraph, std::size_t at);

/// A number or "?" followed by the name of its figure: "82.53<!--efficiency-->".
struct BoundNumber {
  std::size_t begin = 0, end = 0;  ///< position in the line, including the comment
  std::string number, name;
};

/// Returns the bound numbers of a line of text, except those in code.
std::vector<BoundNumber> bound_numbers(const std::string& line);

/// Returns the first comment in a line of text that is not in code and does not bind a number.
std::optional<std::string> stray_comment(const std::string& line);

}  // namespace prose
