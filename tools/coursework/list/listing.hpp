#pragma once

/// @file
/// The exercises for people and programs, without what would give an answer or a grader's case
/// away.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// One exercise a line: "02_1  10 points  A warp along a row of C".
std::string listing_text(const std::vector<Exercise>& all);

/// Titles, kernels, requirements with points and bounds, the number of hints, public cases.
nlohmann::ordered_json listing_json(const std::vector<Exercise>& all);

}  // namespace coursework
