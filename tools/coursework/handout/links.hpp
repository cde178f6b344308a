#pragma once

/// @file
/// Checks links of Markdown files between the files of a handout.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// Returns the files that the Markdown text of `file` links to or shows, as paths below the root.
/// Web addresses and links within the text are left out.
std::vector<std::string> links_in(const std::filesystem::path& file, const std::string& text);

/// Replaces links to files that are missing in `files` by their words, and missing pictures by
/// their descriptions. Code blocks are not changed.
std::string without_dead_links(const std::filesystem::path& file, const std::string& text,
                               const ExtractedFiles& files);

}  // namespace coursework
