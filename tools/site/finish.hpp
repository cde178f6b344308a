#pragma once

/// @file
/// Finishes Doxygen's pages: links into sources, CUDA's keywords, titles, the search index.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Finishes the pages in `output/html`, which `output/tags.xml` lists, and writes
/// `output/html/search_index.js`.
///
/// @throws std::runtime_error naming a link to a file or function that Doxygen does not know
void finish(const Book& book, const std::filesystem::path& output);

}  // namespace site
