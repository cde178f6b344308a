#pragma once

/// @file
/// Conversion of text to HTML (and SVG, which has the same entities) and back.

#include <string>
#include <string_view>

namespace course {

/// Returns `text` with &, <, > and " as entities, for text between tags and for attributes in
/// quotes.
std::string escape_html(std::string_view text);

/// Returns `html` with the entities that escape_html(), Doxygen and cmark-gfm write replaced by
/// characters.
std::string unescape_html(std::string_view html);

}  // namespace course
