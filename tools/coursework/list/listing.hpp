#pragma once

/// @file
/// The exercises for people and programs, without what would give an answer or a grader's case
/// away. docs/exercises.json holds them, so that ./course list --exercises has nothing to build.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Where the listing stands, below the root of the course or of a handout.
inline constexpr const char* kListingFile = "docs/exercises.json";

/// Returns JSON with titles, kernels, requirements with points and bounds, the number of hints, and
/// public cases.
std::string listing_of(const std::vector<Exercise>& all);

}  // namespace coursework
