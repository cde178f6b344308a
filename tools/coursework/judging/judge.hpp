#pragma once

/// @file
/// Runs an exercise's trials against a submission that is compiled, and works the verdict out.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/remote_device.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Starts the submission's runner anew, for one exercise.
using StartRunner = std::function<std::unique_ptr<RunnerProcess>()>;

struct JudgeOptions {
  std::chrono::milliseconds time_limit{10'000};  ///< for all of a submission's kernels
  std::uint64_t seed = 1;
  bool draw = false;  ///< also the cases that only the grader has
  /// What a student hears of a submission that did not answer; by default what its device says.
  std::function<std::string(const DeviceLost&)> say_stopped;
};

/// The verdict on a submission that came to no trial: no points for any requirement.
Verdict verdict_without_trials(const Exercise& exercise, Outcome outcome,
                               const std::string& message);

/// The verdict on one submission. Never throws for what a submission does.
/// @throws std::exception for what is wrong with the exercise or this machine
Verdict judge(const Exercise& exercise, const StartRunner& start, const JudgeOptions& options);

}  // namespace coursework
