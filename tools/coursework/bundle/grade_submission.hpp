#pragma once

/// @file
/// Grades one student's submission, for platforms that grade one student at a time.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Grades each exercise in the submission `folder`; the result follows docs/grade.schema.json.
/// @throws std::runtime_error for errors that are not the student's
nlohmann::ordered_json grade_submission(const std::vector<Exercise>& exercises,
                                        const std::filesystem::path& folder, std::uint64_t seed);

}  // namespace coursework
