#pragma once

/// @file
/// The picture that is shown where somebody shares a link to the site: theme/preview.png. It is
/// kept beside the sources, for only its maker needs a browser.

#include <string>

#include "tools/site/book.hpp"

namespace site {

/// Returns the page that the picture is taken of, 1200 x 630 pixels.
std::string preview_page(const Book& book);

/// Returns the words and numbers of the picture, as preview.txt keeps them: where they are out of
/// date, so is the picture.
std::string preview_words(const Book& book);

/// Draws the picture anew, and writes preview.txt.
/// @throws std::runtime_error if there is no Chromium, or if it fails
void draw_preview(const Book& book);

}  // namespace site
