#pragma once

/// @file
/// Turns a Markdown file into a page for Doxygen.
///
/// cmark-gfm, the renderer of a well-known code host, renders the prose, and Doxygen receives HTML,
/// so that a page looks like its file there. Doxygen itself highlights CUDA code. Comments for the
/// proofreader (tools/prose/prose.hpp) become visible: a figure tells its source, and a code block
/// its place.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/site/book.hpp"

namespace site {

/// A page for Doxygen.
struct Lesson {
  std::string title;
  std::string doxygen;                        ///< the .md file for Doxygen
  std::vector<std::filesystem::path> copied;  ///< files that the page shows or links to
};

/// Makes `page`.
/// Links to pages lead to pages; links to sources lead to Doxygen's listings (as `src:FILE`, which
/// finish() resolves); other links into the project lead to copies below `files/`.
/// @throws std::runtime_error naming the page and the mistake: a broken link, a missing heading, or
///         no cmark-gfm
Lesson make_lesson(const Book& book, const Page& page);

/// Returns a sentence of a comment as HTML; words between backticks become code.
std::string with_code(const std::string& text);

/// Returns a table of a chapter's kernels: name, summary, source, counted source.
std::string kernel_table(const std::filesystem::path& chapter, const std::vector<Kernel>& kernels);

/// Returns a Doxygen page with HTML.
std::string doxygen_page(const std::string& id, const std::string& title, const std::string& html);

}  // namespace site
