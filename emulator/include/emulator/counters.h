/// @file
/// The emulator's counters per launch. Not part of CUDA: chapters never include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "course/counters.hpp"

namespace emu {

using course::Counters;

/// Counters of one instruction, identified by the address after the access in the program's code.
struct AccessSiteCounters {
  std::uintptr_t program_counter = 0;
  Counters counters;
};

/// A completed launch.
struct LaunchRecord {
  std::string kernel;     ///< short name: `read_offset`, `tiled::copy<float>`
  std::string signature;  ///< in the compiler's spelling, with parameter types
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  Counters counters;
  std::vector<AccessSiteCounters> sites;  ///< by program counter, ascending
};

/// Returns the newest completed launch; null before the first. Valid until the next launch. All
/// counters are zero if the launch was not counted.
const LaunchRecord* last_launch() noexcept;

/// Returns the sum over all counted launches completed so far.
Counters total_counters() noexcept;

/// Sets whether launches are counted. Counting costs time; without it, kernels only compute. It is
/// off by default, unless the environment asks for a report of counters or a profile.
void set_counting(bool on) noexcept;
bool counting() noexcept;

/// Returns whether a program may enable counting: false with COURSE_COUNTERS=off.
bool may_count() noexcept;

/// Chooses another order of lanes, warps and phases; results of a correct kernel do not change.
void set_schedule_seed(std::uint64_t seed) noexcept;

/// Sets how many blocks run at a time, by default the number of hardware threads. Counters do not
/// depend on it.
void set_worker_count(unsigned workers) noexcept;

}  // namespace emu
