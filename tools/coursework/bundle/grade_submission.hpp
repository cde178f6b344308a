#pragma once

/// @file
/// Grades what one student handed in, on a platform that has one student at a time.

#include <filesystem>
#include <vector>

#include "tools/coursework/bundle/bundle.hpp"
#include "tools/coursework/bundle/results.hpp"

namespace coursework {

/// The verdicts on what lies in `folder`, one for each of the exercises.
/// @throws std::runtime_error for anything that is not the student's doing
std::vector<Graded> grade_submission(const std::vector<Exercise>& exercises,
                                     const std::filesystem::path& folder, std::uint64_t seed);

}  // namespace coursework
