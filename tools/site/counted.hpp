#pragma once

/// @file
/// Shows the sources of a chapter's kernels with the emulator's counts for each line.

#include <filesystem>
#include <string>

#include "tools/site/book.hpp"
#include "tools/site/frame.hpp"

namespace site {

/// Returns the page's name: "counted_02_coalescing".
std::string counted_id(const std::filesystem::path& chapter);

/// Runs the program of a chapter of the project in `root` on the emulator, as ./course profile
/// does, and returns its listing as HTML. Each kernel has an anchor, Kernel::listed.
///
/// @throws std::runtime_error if the program fails, or one of the chapter's kernels did not run
std::string counted_listing(const std::filesystem::path& root, const std::filesystem::path& chapter,
                            const std::filesystem::path& programs);

/// Writes such a listing of a chapter's program, one of those in `programs`, to `output/counted`.
/// This takes longer than all the rest: what was made of the same program and the same kernels is
/// kept, as good as new.
void count(const std::filesystem::path& root, const std::filesystem::path& chapter,
           const std::filesystem::path& programs, const std::filesystem::path& output);

/// The page with the listing of a chapter that count() has written.
Contents counted_page(const Book& book, const std::filesystem::path& chapter,
                      const std::filesystem::path& output);

}  // namespace site
