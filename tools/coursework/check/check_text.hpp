#pragma once

/// @file
/// Compiles and judges a student's file on the student's own machine.

#include <stop_token>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Compiles the text of an answer and judges it; messages use `name` as its file name.
///
/// Takes the text rather than the file, because an editor may write to the file meanwhile.
/// @throws std::exception if the exercise or this machine is at fault, tools::Cancelled
Verdict check_text(const Exercise& exercise, const std::string& text, const std::string& name,
                   const JudgeOptions& options, std::stop_token stop = {});

}  // namespace coursework
