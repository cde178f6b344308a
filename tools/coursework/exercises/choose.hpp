#pragma once

/// @file
/// The exercises that somebody means by a word of the command line.

#include <optional>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// The exercises of a chapter, "2", "02" or "02_coalescing", or the one with an id, "02_1".
///
/// @param number  only this exercise of the chapter
/// @throws std::runtime_error, which says what there is, if there is nothing of that name
std::vector<Exercise> choose_exercises(const std::vector<Exercise>& all, const std::string& word,
                                       std::optional<int> number = {});

}  // namespace coursework
