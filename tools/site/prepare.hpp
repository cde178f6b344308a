#pragma once

/// @file
/// What Doxygen is given: pages, comments on files, the frame around every page.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Writes what the emulator counts in a chapter's program, one of those in `programs`, to
/// `output/counted`, where prepare() finds it. This takes longer than all the rest: what was made
/// of the same program and the same kernels is kept, as good as new.
void count(const std::filesystem::path& root, const std::filesystem::path& chapter,
           const std::filesystem::path& programs, const std::filesystem::path& output);

/// Writes what Doxygen reads below `output`: `pages/`, `header.html`, `footer.html`; and the files
/// that pages show or link, below `output/html`.
///
/// @throws std::runtime_error naming what is missing, or which link leads nowhere
void prepare(const Book& book, const std::filesystem::path& output);

}  // namespace site
