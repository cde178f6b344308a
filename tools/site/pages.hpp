#pragma once

/// @file
/// All pages of the site but those of the reference.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Writes the pages of a book, the files that they show or link, and the theme's files to
/// `output/html`, where write_reference() has been before.
///
/// @throws std::runtime_error naming what is missing, or which link leads nowhere
void write_pages(const Book& book, const std::filesystem::path& output);

}  // namespace site
