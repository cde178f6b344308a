#pragma once

/// @file
/// The limits of a submission, and the messages to students who exceed them.
///
/// Limits of CPU time count: they mean the same on any machine, however busy. Larger limits of wall
/// time end programs that wait without computing.

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/coursework/judging/remote_device.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework {

/// For each of the two stages of compiling.
constexpr std::chrono::seconds kCompileCpu{60};
constexpr std::uint64_t kCompileMemory = std::uint64_t{2} << 30;
constexpr std::uint64_t kRunMemory = std::uint64_t{1} << 30;

/// Ratio of the limit of wall time to the limit of CPU time.
constexpr int kPatience = 60;

/// Returns the beginning of a sentence; empty if the end is not a limit of time or memory.
std::string compiler_limit_message(End end);
/// @param cpu  limit for all kernels of a submission together
std::string kernel_limit_message(Stopped why, std::chrono::seconds cpu);

}  // namespace coursework
