#pragma once

/// @file
/// From a student's file to a verdict, on the student's own machine.

#include <filesystem>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Compiles `file` as it is now, and judges it.
/// @throws std::exception for what is wrong with the exercise or this machine
Verdict check_file(const Exercise& exercise, const std::filesystem::path& file,
                   const JudgeOptions& options);

}  // namespace coursework
