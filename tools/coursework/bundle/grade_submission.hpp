#pragma once

/// @file
/// Grades what one student handed in, on a platform that has one student at a time.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// What became of each of the exercises in what lies in `folder`, as docs/grade.schema.json has it.
/// @throws std::runtime_error for anything that is not the student's doing
nlohmann::ordered_json grade_submission(const std::vector<Exercise>& exercises,
                                        const std::filesystem::path& folder, std::uint64_t seed);

}  // namespace coursework
