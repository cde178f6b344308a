#pragma once

/// @file
/// What the proofreader knows of Markdown as text: lines, sentences, numbers that nothing binds.

#include <optional>
#include <string>
#include <string_view>

namespace prose {

constexpr std::size_t kMaxColumns = 100;  ///< of a line that can be broken
constexpr std::size_t kMaxComment = 24;   ///< of a comment inside text, with its marks

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

/// The first comment that stands inside a line of text.
std::optional<std::string> comment_in(const std::string& line);

}  // namespace prose
