#pragma once

/// @file
/// A Markdown file as a page for Doxygen.
///
/// The prose is rendered by cmark-gfm, the renderer of a well-known code host, and handed to
/// Doxygen as HTML: a page of the site cannot look otherwise than the file it is made from. CUDA
/// code is left to Doxygen, which highlights it. What the comments for the proofreader say (see
/// tools/prose/prose.hpp) becomes visible: a figure tells what it was read from, and a code block
/// where it stands.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/site/book.hpp"

namespace site {

/// A page, ready for Doxygen.
struct Lesson {
  std::string title;
  std::string doxygen;                        ///< the text of the .md file for Doxygen
  std::vector<std::filesystem::path> copied;  ///< files that the page shows or links
};

/// Makes `page`.
///
/// Links to pages lead to pages, links to sources to Doxygen's listing of them (as `src:FILE`,
/// which finish() resolves), other links into the project to copies below `files/`.
/// @throws std::runtime_error naming the page and what is wrong: a link to nothing, a heading
///         missing, cmark-gfm not there
Lesson make_lesson(const Book& book, const Page& page);

/// A sentence of a comment as HTML: words between backticks are code.
std::string with_code(const std::string& text);

/// The kernels of a chapter as a table: documentation, what they do, source, counted source.
std::string kernel_table(const std::filesystem::path& chapter, const std::vector<Kernel>& kernels);

/// A Doxygen page of HTML.
std::string doxygen_page(const std::string& id, const std::string& title, const std::string& html);

}  // namespace site
