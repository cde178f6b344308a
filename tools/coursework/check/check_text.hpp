#pragma once

/// @file
/// From a student's file to a verdict, on the student's own machine.

#include <stop_token>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Compiles the text of an answer, whose file is called `name` in messages, and judges it.
///
/// It is the text that counts, not the file: whoever asks again gets no older verdict, and an
/// editor may write meanwhile.
/// @throws std::exception for what is wrong with the exercise or this machine, tools::Cancelled
Verdict check_text(const Exercise& exercise, const std::string& text, const std::string& name,
                   const JudgeOptions& options, std::stop_token stop = {});

}  // namespace coursework
