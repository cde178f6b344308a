/// @file
/// Reads source files as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

/// Returns the text with U+FFFD in place of every byte that is not printable UTF-8, so that every
/// format can hold it.
std::string printable(std::string_view text);

using SourceLines = std::vector<std::string>;  // line n is element n - 1

/// Returns the lines of a file, printable and without line ends; nothing if it cannot be read.
std::optional<SourceLines> read_source(const std::string& file);

}  // namespace emu
