#pragma once

/// @file
/// gnuplot's SVG as a card that is legible on light and on dark pages.

#include <string>

namespace plot {

/// What a picture is called, and what it shows, for those who do not see it.
struct Caption {
  std::string title;
  std::string description;
};

/// `svg`, as gnuplot's terminal svg writes it, with
/// - the colours that style.gp names turned into CSS classes, for light and for dark pages;
/// - a frame with rounded corners, title and description in place of gnuplot's own;
/// - `origin` (what gnuplot was given, and its version) as metadata, to compare what different
///   versions of gnuplot draw.
///
/// @throws std::runtime_error for a colour that style.gp does not name, or what is no SVG
std::string as_card(const std::string& svg, const Caption& caption, const std::string& origin);

/// The metadata of a card; empty if it has none.
std::string origin_of(const std::string& card);

}  // namespace plot
