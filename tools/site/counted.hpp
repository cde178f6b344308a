#pragma once

/// @file
/// The sources of a chapter's kernels with what the emulator counted, line by line.

#include <filesystem>
#include <string>

#include "tools/site/book.hpp"

namespace site {

/// The page's name: "counted_02_coalescing".
std::string counted_id(const std::filesystem::path& chapter);

/// Runs the chapter's program in `programs` on the emulator, as ./course profile does, and makes
/// its listing a page for Doxygen. Each kernel has an anchor, Kernel::listed.
///
/// @throws std::runtime_error if the program fails, or one of the chapter's kernels did not run
std::string counted_page(const Book& book, const std::filesystem::path& chapter,
                         const std::filesystem::path& programs);

}  // namespace site
