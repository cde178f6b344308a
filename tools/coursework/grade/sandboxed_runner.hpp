#pragma once

/// @file
/// A submission's program in its sandbox, at the judge's command.

#include <chrono>
#include <filesystem>
#include <memory>

#include "tools/coursework/judging/remote_device.hpp"

namespace coursework {

/// @param own         an empty folder, which the program may fill
/// @param time_limit  of CPU time
/// @throws GraderFault where it cannot be started, then or when the judge asks how it ended
std::unique_ptr<RunnerProcess> start_sandboxed(const std::filesystem::path& program,
                                               const std::filesystem::path& own,
                                               std::chrono::milliseconds time_limit);

}  // namespace coursework
