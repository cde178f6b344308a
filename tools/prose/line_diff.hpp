#pragma once

/// @file
/// What changed between two texts, as a reader wants to see it.

#include <cstddef>
#include <string>
#include <vector>

namespace prose {

/// The lines of `after` with "+" before those that are new, after those of `before` that are gone,
/// with "-". Of lines that stay, only those within `context` of a change are shown; "@@ ... @@"
/// stands for two or more between changes. No empty line begins or ends what is shown. Blanks do
/// not count: a line that is only moved to the right stays. Empty if nothing changed.
std::vector<std::string> line_diff(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after, std::size_t context);

}  // namespace prose
