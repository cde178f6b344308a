#pragma once

/// @file
/// Puts the parts of a class together: what comes out is what one run would have written.

#include <filesystem>
#include <vector>

namespace coursework {

/// @param parts  folders that `grade --shard` has written: every shard of one class
/// @return as grade_class()
/// @throws std::runtime_error where parts are missing, unfinished, there twice and different, or
///         graded with other seeds, exercises or versions of the course
int merge(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& out);

}  // namespace coursework
