#pragma once

/// @file
/// Shows the difference of two texts to a reader.

#include <cstddef>
#include <string>
#include <vector>

namespace prose {

/// A line of two texts that were merged.
struct DiffLine {
  char mark;  ///< ' ' of both, '-' of the first alone, '+' of the second alone
  std::string text;
};

/// Merges the lines of both texts along a longest common subsequence. Blanks are ignored: a line of
/// both is the second's. Among changes, removed lines come first.
std::vector<DiffLine> merged_lines(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after);

/// Returns whether a line of a source is left out where two sources are compared: of comments above
/// functions and of namespaces.
bool is_frame_of_code(const std::string& line);

/// Returns the lines of `after`, new ones marked "+", preceded by removed lines of `before`, marked
/// "-". Of the unchanged lines, only those within `context` lines of a change are shown; "@@ ...
/// @@" stands for two or more between changes. The result begins and ends with no empty line.
/// Blanks are ignored: a line that is only indented further is unchanged. Empty if nothing changed.
std::vector<std::string> line_diff(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after, std::size_t context);

}  // namespace prose
