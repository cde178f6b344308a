#pragma once

/// @file
/// The lessons as one book, for paper and for readers of e-books.
///
/// It begins with the set-up and ends with the glossary. Links lead to other places of the book,
/// and to the web; what they lead to on the site alone is not linked. Pictures stand still, and
/// answers to predictions stand at the end of their chapter.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/site/book.hpp"
#include "tools/site/lesson.hpp"

namespace site {

/// A reader of e-books makes its own list of chapters.
enum class Medium { paper, e_book };

/// On which page of paper a page of the site begins, by its id.
using PageNumbers = std::map<std::string, int>;

/// The book as one page of HTML. `lessons` are the pages of `book`; files that they show are those
/// in `folder`, a relative path. `numbers` stand in the list of chapters.
std::string book_html(const Book& book, const std::vector<Lesson>& lessons,
                      const std::string& folder, Medium medium, const PageNumbers& numbers);

/// What a PDF that Chromium has made of the book says of its pages.
PageNumbers page_numbers(const std::string& pdf, const Book& book);

/// Writes `output/warp_by_warp.pdf` with Chromium, and returns where it is. The site must have been
/// made in `output` before.
/// @throws std::runtime_error if there is no Chromium, or it fails
std::filesystem::path write_pdf(const Book& book, const std::filesystem::path& output);

/// Writes `output/warp_by_warp.epub` with Pandoc in the same way.
std::filesystem::path write_epub(const Book& book, const std::filesystem::path& output);

}  // namespace site
