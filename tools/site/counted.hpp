#pragma once

/// @file
/// Shows the sources of a chapter's kernels with the emulator's counts for each line.

#include <filesystem>
#include <string>

#include "tools/site/book.hpp"

namespace site {

/// Returns the page's name: "counted_02_coalescing".
std::string counted_id(const std::filesystem::path& chapter);

/// Runs the program of a chapter of the project in `root` on the emulator, as ./course profile
/// does, and returns its listing as HTML. Each kernel has an anchor, Kernel::listed.
///
/// @throws std::runtime_error if the program fails, or one of the chapter's kernels did not run
std::string counted_listing(const std::filesystem::path& root, const std::filesystem::path& chapter,
                            const std::filesystem::path& programs);

/// Turns such a listing into a page for Doxygen.
std::string counted_page(const Book& book, const std::filesystem::path& chapter,
                         const std::string& listing);

}  // namespace site
