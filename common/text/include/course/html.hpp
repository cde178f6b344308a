#pragma once

/// @file
/// Text as HTML (and SVG, which says it alike), and HTML as text.

#include <string>
#include <string_view>

namespace course {

/// `text` with &, <, > and " as entities: right between tags and in an attribute's quotes.
std::string escape_html(std::string_view text);

/// `html` with the entities that escape_html(), Doxygen and cmark-gfm write as characters.
std::string unescape_html(std::string_view html);

}  // namespace course
