/// @file
/// The text of a source file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

/// The text with U+FFFD for every byte that is no printable UTF-8, so that every format may hold
/// it.
std::string printable(std::string_view text);

using SourceLines = std::vector<std::string>;  // line n is element n - 1

/// The lines of a file, without line ends, printable; nothing if it cannot be read.
std::optional<SourceLines> read_source(const std::string& file);

}  // namespace emu
