#pragma once

/// @file
/// The reference: what Doxygen is told, and what becomes of its pages.

#include <filesystem>

#include "tools/site/book.hpp"

namespace site {

/// Writes what Doxygen reads beside the sources, `output/doxygen/files.dox`, and the frame of all
/// pages, `output/frame.html`.
void prepare_reference(const Book& book, const std::filesystem::path& output);

/// Makes pages of the site, in `output/html`, of those that Doxygen has written to
/// `output/doxygen/html`, and `search_reference.js`; notes in `output/reference.json` where it has
/// what. Its lists of folders, of classes by their bases and of their members are left out.
void write_reference(const std::filesystem::path& root, const std::filesystem::path& output);

}  // namespace site
