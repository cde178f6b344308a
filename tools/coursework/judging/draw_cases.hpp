#pragma once

/// @file
/// Draws the hidden cases of an exercise, which the grader adds to the visible ones.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Draws the hidden cases of a group from `seed`; the result is the same on every machine.
///
/// Each range is cut into as many layers as there are cases. The first case takes every size from
/// the lowest layer, the last from the highest; the cases between share the other layers. Choices
/// come equally often.
std::vector<Case> draw_cases(const Exercise& exercise, const std::string& group,
                             std::uint64_t seed);

}  // namespace coursework
