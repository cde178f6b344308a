/// @file
/// The hazard checker: selects checks and returns findings. Not part of CUDA: chapters never
/// include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

/// The checks to run, under the names of compute-sanitizer's tools.
struct Checks {
  bool memory = false;  ///< memcheck: out of bounds, misaligned, null, freed
  bool init = false;    ///< initcheck: reads of uninitialised bytes
  bool race = false;    ///< racecheck: two threads, one byte, a write, and no synchronisation
  bool sync = false;    ///< synccheck: barriers and masks
  bool leaks = false;   ///< leakcheck: device and managed memory that is never freed

  bool any() const { return memory || init || race || sync || leaks; }
  bool operator==(const Checks&) const = default;
};
constexpr Checks kAllChecks{
    .memory = true, .init = true, .race = true, .sync = true, .leaks = true};

enum class Severity : std::uint8_t {
  error,    ///< wrong on every device
  warning,  ///< works on some devices, or by luck
};

/// One side of a finding: the action and its place. Empty strings: unknown.
struct Culprit {
  std::string action;  ///< "write", "read", "atomic", "__syncthreads"
  std::string line;    ///< "file.cu:12"
  std::string block;   ///< "(0,0,0)"
  std::string thread;  ///< "(31,0,0)"
  bool operator==(const Culprit&) const = default;
};

/// A hazard, once for each kind, kernel and pair of source lines; details are those of its first
/// occurrence. Failing runtime calls and leaks are merged only if their texts are equal.
struct Finding {
  std::string tool;  ///< "memcheck", "initcheck", "racecheck", "synccheck", "schedules"
  std::string kind;  ///< identifier for programs: "out_of_bounds", "race_raw", ...
  Severity severity = Severity::error;
  std::string title;        ///< one line for people
  std::string kernel;       ///< empty for host code
  Culprit first;            ///< the wrong access; in a race, the later one
  Culprit second;           ///< in a race, the earlier access
  std::string memory;       ///< the address, and the nearest allocation or variable
  std::string hint;         ///< what to look at
  std::uint64_t count = 0;  ///< number of occurrences over all threads and launches
  std::uint64_t bytes = 0;  ///< bytes that all of them accessed
};

/// Selects the checks for following launches and allocations. Earlier allocations count as
/// initialised.
void set_checking(Checks checks) noexcept;
Checks checking() noexcept;

/// Sets whether memcheck ends a kernel at every access outside of an allocation, even where a
/// device would continue. The kernel can then read or write only memory that it was given.
void set_strict_bounds(bool on) noexcept;

/// Runs each launch again in several other orders of lanes, warps and blocks, and reports memory
/// that ends up different. kScheduledBlocks blocks run at a time, each on its own thread.
constexpr unsigned kScheduledBlocks = 4;
void set_schedules(unsigned count, unsigned blocks_at_a_time = kScheduledBlocks) noexcept;

/// Parses "memcheck,racecheck", "all" or "off"; returns false for any other word.
bool parse_checks(std::string_view text, Checks& checks) noexcept;

/// Returns the findings so far in the order of their first occurrence, which does not depend on the
/// number of workers. Forgets them, so that they do not affect the program's exit status.
std::vector<Finding> take_findings();

/// Sets whether findings are printed on stderr as they occur, and whether any finding makes the
/// program's exit status 1. The environment variable COURSE_CHECK enables it.
void set_check_report(bool on) noexcept;

}  // namespace emu
