/// @file
/// Writes reports when the program ends.
#pragma once

#include <string>

namespace emu {

/// Writes `text` to the file at `path`, or to stderr if that is empty, after the program's own
/// output. For exit handlers: if writing fails, prints one line and ends the process with status 2.
void write_report(const std::string& path, const std::string& text);

}  // namespace emu
