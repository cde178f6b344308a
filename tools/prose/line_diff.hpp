#pragma once

/// @file
/// Shows the difference of two texts to a reader.

#include <cstddef>
#include <string>
#include <vector>

namespace prose {

/// Returns the lines of `after`, new ones marked "+", preceded by removed lines of `before`, marked
/// "-". Of the unchanged lines, only those within `context` lines of a change are shown; "@@ ...
/// @@" stands for two or more between changes. The result begins and ends with no empty line.
/// Blanks are ignored: a line that is only indented further is unchanged. Empty if nothing changed.
std::vector<std::string> line_diff(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after, std::size_t context);

}  // namespace prose
