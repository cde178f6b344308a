#pragma once

/// @file
/// Links of Markdown files between the files of a handout.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// The files, by their path below the root, that the Markdown text of `file` links to or shows.
/// Addresses of the web and places within the text are no files.
std::vector<std::string> links_in(const std::filesystem::path& file, const std::string& text);

/// The text in which a link to a file that `files` has not is only its words, and a picture that
/// they have not is its description. Code blocks stay as they are.
std::string without_dead_links(const std::filesystem::path& file, const std::string& text,
                               const ExtractedFiles& files);

}  // namespace coursework
