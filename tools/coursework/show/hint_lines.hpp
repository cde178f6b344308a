#pragma once

/// @file
/// Hints, from a nudge to nearly the answer.

#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// The hints of an exercise up to the one of this number; all if there are fewer.
std::vector<Line> hint_lines(const Exercise& exercise, int level);

}  // namespace coursework
