#pragma once

/// @file
/// What Doxygen leaves to do: links into sources, CUDA's words, titles, the search index.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Finishes the pages in `output/html`, of which `output/tags.xml` tells, and writes
/// `output/html/search_index.js`.
///
/// @throws std::runtime_error naming a link that leads to no file or function that Doxygen knows
void finish(const Book& book, const std::filesystem::path& output);

}  // namespace site
