#pragma once

/// @file
/// Turns gnuplot's SVG into a card that is legible on light and dark pages.

#include <string>

namespace plot {

/// The title of a picture, and a description for readers who do not see it.
struct Caption {
  std::string title;
  std::string description;
};

/// Converts `svg`, written by gnuplot's terminal svg, to a card with
/// - CSS classes, for light and dark pages, instead of the colours that style.gp names;
/// - a frame with rounded corners, a title and a description instead of gnuplot's own;
/// - `origin` (gnuplot's input and version) as metadata, to compare pictures of different
///   versions of gnuplot.
///
/// @throws std::runtime_error for a colour that style.gp does not name, or text that is not SVG
std::string as_card(const std::string& svg, const Caption& caption, const std::string& origin);

/// Returns the metadata of a card; empty if it has none.
std::string origin_of(const std::string& card);

}  // namespace plot
