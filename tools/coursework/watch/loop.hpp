#pragma once

/// @file
/// Where `watch` waits: for keys, saved files, checks that end, signals.

#include <vector>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"

namespace coursework {

/// Watches until somebody quits: with pictures where there is a terminal, else with verdicts one
/// after the other. The exit status; a signal that ends it, ends the program as it should.
int watch(std::vector<Exercise> exercises, const Answers& answers, const JudgeOptions& options);

}  // namespace coursework
