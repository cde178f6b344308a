#pragma once

/// @file
/// Writes Doxygen's input: pages, comments on files, the frame around every page.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Writes the emulator's counts for a chapter's program, which is in `programs`, to
/// `output/counted`, where prepare() finds them. Counting takes longer than everything else, so an
/// existing file is reused if the program and the kernels have not changed.
void count(const std::filesystem::path& root, const std::filesystem::path& chapter,
           const std::filesystem::path& programs, const std::filesystem::path& output);

/// Writes Doxygen's input below `output`: `pages/`, `header.html`, `footer.html`. Copies the files
/// that pages show or link to below `output/html`.
///
/// @throws std::runtime_error naming a missing file or a broken link
void prepare(const Book& book, const std::filesystem::path& output);

}  // namespace site
