#pragma once

/// @file
/// Runs an exercise's trials against a compiled submission, and computes the verdict.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/remote_device.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Starts a new process of the submission's runner, for one exercise.
using StartRunner = std::function<std::unique_ptr<RunnerProcess>()>;

struct JudgeOptions {
  std::chrono::milliseconds time_limit{10'000};  ///< for all kernels of a submission together
  std::uint64_t seed = 1;
  bool draw = false;  ///< also run the hidden cases that the grader draws
  /// Returns the message for a submission that stopped answering; by default DeviceLost's text.
  std::function<std::string(const DeviceLost&)> stop_message;
};

/// Returns the verdict on a submission that ran no trial: no points for any requirement.
Verdict verdict_without_trials(const Exercise& exercise, Outcome outcome,
                               const std::string& message);

/// Judges one submission. Nothing that a submission does makes this throw.
/// @throws std::exception if the exercise or this machine is at fault
Verdict judge(const Exercise& exercise, const StartRunner& start, const JudgeOptions& options);

}  // namespace coursework
