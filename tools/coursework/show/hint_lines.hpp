#pragma once

/// @file
/// Shows hints, from a nudge to almost the answer.

#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// Returns the hints of an exercise up to number `level`; all if there are fewer.
std::vector<Line> hint_lines(const Exercise& exercise, int level);

}  // namespace coursework
