/// @file
/// What the emulator counts, per launch. Not part of CUDA: chapters never include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "course/counters.hpp"

namespace emu {

using course::Counters;

/// Counters of one instruction: the address behind the access in the program's text.
struct AccessSiteCounters {
  std::uintptr_t program_counter = 0;
  Counters counters;
};

/// One completed launch.
struct LaunchRecord {
  std::string kernel;     ///< short name: `read_offset`, `tiled::copy<float>`
  std::string signature;  ///< as the compiler writes it, with parameter types
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  Counters counters;
  std::vector<AccessSiteCounters> sites;  ///< by program counter, ascending
};

/// The newest completed launch; null before the first. Valid until the next launch. All counters
/// are zero if it was not counted.
const LaunchRecord* last_launch() noexcept;

/// The sum over every launch completed so far while counting was on.
Counters total_counters() noexcept;

/// Counting costs time; without it kernels only compute. It is off unless the environment asks for
/// a report of counters or a profile.
void set_counting(bool on) noexcept;
bool counting() noexcept;

/// Whether a program that counts by itself may: COURSE_COUNTERS=off says no.
bool may_count() noexcept;

/// Orders lanes, warps and phases differently; results of a correct kernel do not change.
void set_schedule_seed(std::uint64_t seed) noexcept;

/// How many blocks run at a time; the default is the number of hardware threads.
/// Counters do not depend on it.
void set_worker_count(unsigned workers) noexcept;

}  // namespace emu
