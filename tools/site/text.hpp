#pragma once

/// @file
/// The few operations on strings that the site is made with.

#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace site {

/// What a reader sees of a piece of HTML: no tags, no comments, entities as characters.
std::string plain_text(std::string_view html);

/// A heading's anchor as code hosts make it: "Who coalesces?" becomes "who-coalesces".
std::string slug(std::string_view heading);

/// `text` with every match replaced by what `replacement` returns for it. For short texts: lines.
std::string replace_each(const std::string& text, const std::regex& pattern,
                         const std::function<std::string(const std::smatch&)>& replacement);

/// `text` with every `from` as `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

std::vector<std::string> split_lines(std::string_view text);

}  // namespace site
