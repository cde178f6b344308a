#pragma once

/// @file
/// Finds the exercises that a word of the command line names.

#include <optional>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Returns the exercises of a chapter ("2", "02" or "02_coalescing"), or the exercise with an id
/// ("02_1").
///
/// @param number  selects one exercise of the chapter
/// @throws std::runtime_error if nothing has that name; the text lists the names that exist
std::vector<Exercise> choose_exercises(const std::vector<Exercise>& all, const std::string& word,
                                       std::optional<int> number = {});

}  // namespace coursework
