#pragma once

/// @file
/// What stands around the text of every page: header, list of pages, footer.

#include <string>

#include "tools/site/book.hpp"

namespace site {

/// The frame of a book's pages, of theme/header.html and theme/footer.html, with the list of pages
/// and the edition. A page's own title, style sheets and text are still marks in it.
std::string make_frame(const Book& book);

/// A page without its frame.
struct Contents {
  std::string name;   ///< of the file: "glossary.html"
  std::string title;  ///< HTML
  std::string html;
};

/// Whose style sheets a page needs beside the site's own.
enum class Styles { of_the_site, of_doxygen };

/// The page in its frame.
std::string framed(const std::string& frame, const Contents& page, Styles styles);

}  // namespace site
