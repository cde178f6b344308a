#pragma once

/// @file
/// String operations for the site.

#include <string>
#include <string_view>
#include <vector>

namespace site {

/// Returns the visible text of HTML: without tags and comments, entities as characters.
std::string plain_text(std::string_view html);

/// Returns a heading's anchor as code hosts write it: "Who coalesces?" becomes "who-coalesces".
std::string slug(std::string_view heading);

/// Replaces every `from` by `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// Returns lines as an attribute's value; browsers show a line of a `title` for each. Empty lines
/// are left out.
std::string popover_text(const std::vector<std::string>& lines);

std::vector<std::string> split_lines(std::string_view text);

}  // namespace site
