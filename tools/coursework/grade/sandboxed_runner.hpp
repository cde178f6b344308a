#pragma once

/// @file
/// Runs a submission's program in a sandbox, controlled by the judge.

#include <chrono>
#include <filesystem>
#include <memory>

#include "tools/coursework/judging/remote_device.hpp"

namespace coursework {

/// @param own         an empty folder that the program may write to
/// @param time_limit  limit of CPU time
/// @throws GraderFault if the program cannot be started; also when the judge asks how it ended
std::unique_ptr<RunnerProcess> start_sandboxed(const std::filesystem::path& program,
                                               const std::filesystem::path& own,
                                               std::chrono::milliseconds time_limit);

}  // namespace coursework
