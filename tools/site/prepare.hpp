#pragma once

/// @file
/// What Doxygen is given: pages, comments on files, the frame around every page.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Writes what Doxygen reads below `output`: `pages/`, `header.html`; and the files that pages show
/// or link, below `output/html`. The chapters' programs, in `programs`, are run and counted.
///
/// @throws std::runtime_error naming what is missing, or which link leads nowhere
void prepare(const Book& book, const std::filesystem::path& programs,
             const std::filesystem::path& output);

}  // namespace site
