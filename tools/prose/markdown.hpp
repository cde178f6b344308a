#pragma once

/// @file
/// What the proofreader knows of Markdown as text: lines, sentences, numbers that nothing binds.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prose {

/// The characters of a line in UTF-8.
std::size_t columns_of(std::string_view line);

/// Whether a line of text is too long, and could be broken within reach. An image is not broken,
/// nor is a link, nor anything without a blank.
bool is_too_long(const std::string& line);

/// The first number with a unit in `text`, or of five digits or more, or with commas; code and
/// addresses do not count.
std::optional<std::string> unbound_number(const std::string& text);

/// The sentence of `paragraph` that holds its character `at`, without comments.
std::string sentence_around(const std::string& paragraph, std::size_t at);

/// A number, or "?", with the name of its figure: "82.53<!--efficiency-->".
struct BoundNumber {
  std::size_t begin = 0, end = 0;  ///< where it stands in the line, with its comment
  std::string number, name;
};

/// The bound numbers of a line of text, but for those in code.
std::vector<BoundNumber> bound_numbers(const std::string& line);

/// The first comment in a line of text that is neither code nor binds a number.
std::optional<std::string> stray_comment(const std::string& line);

}  // namespace prose
