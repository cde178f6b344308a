#pragma once

/// @file
/// The limits of a submission, and what a student hears of one that was hit.
///
/// Those that count are of CPU time: they come to the same on any machine, however busy. Those of
/// wall time stand around them, for what waits and does not compute.

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/coursework/judging/remote_device.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework {

/// Of one of the two stages in which a program is made.
constexpr std::chrono::seconds kCompileCpu{60};
constexpr std::uint64_t kCompileMemory = std::uint64_t{2} << 30;
constexpr std::uint64_t kRunMemory = std::uint64_t{1} << 30;

/// So many times as long as its CPU time may something take by the clock.
constexpr int kPatience = 60;

/// The beginning of a sentence; empty for an end that is no limit of time or memory.
std::string said_of_compiler(End end);
/// @param cpu  of all kernels of a submission together
std::string said_of_kernels(Stopped why, std::chrono::seconds cpu);

}  // namespace coursework
