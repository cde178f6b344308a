#pragma once

/// @file
/// The cases of an exercise that the grader adds to those that everybody may see.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// The cases of a group that the grader draws from `seed`; the same on every machine.
///
/// They come in layers: of n cases, the first has each size from the lowest n-th of its range, the
/// last from the highest, and those between share the other parts out. Choices come equally often.
std::vector<Case> draw_cases(const Exercise& exercise, const std::string& group,
                             std::uint64_t seed);

}  // namespace coursework
