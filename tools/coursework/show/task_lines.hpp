#pragma once

/// @file
/// Shows the task of an exercise that has no answer yet.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// Returns the title, the requirements with points, and the next step. `file` is the answer's path.
/// What the starter lacks is left to the reader to find out.
std::vector<Line> task_lines(const Exercise& exercise, const std::string& file);

}  // namespace coursework
