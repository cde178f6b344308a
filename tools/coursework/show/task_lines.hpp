#pragma once

/// @file
/// An exercise before anything is written for it.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// The title, what points are given for, and what to do next. `file` is where the answer goes. None
/// of it says what the starter lacks: that is for the reader to find out.
std::vector<Line> task_lines(const Exercise& exercise, const std::string& file);

}  // namespace coursework
