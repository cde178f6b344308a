#pragma once

/// @file
/// The lessons as one book, for paper and for readers of e-books.
///
/// It begins with the set-up and ends with the glossary. Links lead to other places of the book,
/// and to the web; what they lead to on the site alone is not linked. Pictures stand still, and
/// answers to predictions stand at the end of their chapter.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/site/book.hpp"
#include "tools/site/lesson.hpp"

namespace site {

/// A reader of e-books makes its own list of chapters.
enum class Medium { paper, e_book };

/// What a print tells the next one.
struct PaperLayout {
  std::map<std::string, int> first_pages;  ///< of chapters, by their ids; for the list of chapters
  std::set<std::string> tight;             ///< chapters whose lines are set more closely
};

/// The book as one page of HTML. `lessons` are the pages of `book`; files that they show are those
/// in `folder`, a relative path.
std::string book_html(const Book& book, const std::vector<Lesson>& lessons,
                      const std::string& folder, Medium medium, const PaperLayout& layout);

/// What a PDF that Chromium has made of the book says of its pages. Tight are the chapters of which
/// a few lines stand alone on a last page.
PaperLayout layout_of(const std::string& pdf, const Book& book);

/// Writes `output/warp_by_warp.pdf` with Chromium, and returns where it is. The site must have been
/// made in `output` before.
/// @throws std::runtime_error if there is no Chromium, or it fails
std::filesystem::path write_pdf(const Book& book, const std::filesystem::path& output);

/// Writes `output/warp_by_warp.epub` with Pandoc in the same way.
std::filesystem::path write_epub(const Book& book, const std::filesystem::path& output);

}  // namespace site
