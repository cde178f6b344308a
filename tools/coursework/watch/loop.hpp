#pragma once

/// @file
/// The event loop of `watch`: keys, saved files, finished checks, signals.

#include <vector>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"

namespace coursework {

/// Watches the answers until the user quits: draws pictures in a terminal, otherwise prints each
/// verdict. Returns the exit status. A signal that ends the loop also ends the program, with the
/// signal's usual status.
int watch(std::vector<Exercise> exercises, const Answers& answers, const JudgeOptions& options);

}  // namespace coursework
