/// @file
/// Where a report goes when the program ends.
#pragma once

#include <string>

namespace emu {

/// Writes `text` to the file, or to stderr if `path` is empty, after what the program itself has
/// printed. Where it cannot, ends the process with status 2 and one line: for exit handlers.
void write_report(const std::string& path, const std::string& text);

}  // namespace emu
