#pragma once

/// @file
/// Lists the exercises for people and programs, without answers or hidden cases. The list is stored
/// in docs/exercises.json, so that ./course list --exercises need not build anything.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Path of the list below the root of the course or of a handout.
inline constexpr const char* kListingFile = "docs/exercises.json";

/// Returns JSON with titles, kernels, requirements with points and bounds, the number of hints, and
/// public cases.
std::string listing_of(const std::vector<Exercise>& all);

}  // namespace coursework
