#pragma once

/// @file
/// Shows the sources of a chapter's kernels with the emulator's counts for each line: a page for
/// each kernel.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/site/book.hpp"
#include "tools/site/frame.hpp"
#include "tools/site/reference.hpp"

namespace site {

/// Returns the name of the page that lists a chapter's counted kernels: "counted_02_coalescing".
std::string counted_id(const std::filesystem::path& chapter);

/// Returns the address of a kernel's own page, for a name as in Kernel::listed.
std::string counted_address(const std::filesystem::path& chapter, const std::string& listed);

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

/// Returns the pages of the listing that count() has written: one that lists the kernels, and below
/// it one for each kernel, or several for a kernel with many instances.
std::vector<Contents> counted_pages(const Book& book, const Reference& reference,
                                    const std::filesystem::path& chapter,
                                    const std::filesystem::path& output);

}  // namespace site
