#pragma once

/// @file
/// Merges the shards of a class: the result equals that of a single run.

#include <filesystem>
#include <vector>

namespace coursework {

/// @param parts  folders written by `grade --shard`: every shard of one class
/// @return as grade_class()
/// @throws std::runtime_error if parts are missing, unfinished, contradictory, or graded with
///         different seeds, exercises or versions of the course
int merge(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& out);

}  // namespace coursework
