#pragma once

/// @file
/// The few operations on strings that the site is made with.

#include <string>
#include <string_view>
#include <vector>

namespace site {

/// What a reader sees of a piece of HTML: no tags, no comments, entities as characters.
std::string plain_text(std::string_view html);

/// A heading's anchor as code hosts make it: "Who coalesces?" becomes "who-coalesces".
std::string slug(std::string_view heading);

/// `text` with every `from` as `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

std::vector<std::string> split_lines(std::string_view text);

}  // namespace site
