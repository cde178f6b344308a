/// @file
/// The hazard checker: which checks run, and what they found. Not part of CUDA: chapters never
/// include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

/// Which checks run, named as compute-sanitizer names its tools.
struct Checks {
  bool memory = false;  ///< memcheck: out of bounds, misaligned, null, freed
  bool init = false;    ///< initcheck: bytes read that nothing wrote
  bool race = false;    ///< racecheck: two threads, one byte, a write, nothing in between
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

/// One side of a finding: who did it, and where. Empty strings: not known.
struct Culprit {
  std::string action;  ///< "write", "read", "atomic", "__syncthreads"
  std::string line;    ///< "file.cu:12"
  std::string block;   ///< "(0,0,0)"
  std::string thread;  ///< "(31,0,0)"
  bool operator==(const Culprit&) const = default;
};

/// What is wrong, once for each kind, kernel and pair of source lines; the first time in full.
/// Calls of the runtime that fail, and leaks, count as one only if they are told in the same words.
struct Finding {
  std::string tool;  ///< "memcheck", "initcheck", "racecheck", "synccheck", "schedules"
  std::string kind;  ///< for programs: "out_of_bounds", "race_raw", ...
  Severity severity = Severity::error;
  std::string title;        ///< one line, for people
  std::string kernel;       ///< empty for host code
  Culprit first;            ///< the access that is wrong; in a race the later of the two
  Culprit second;           ///< in a race the earlier access
  std::string memory;       ///< the address, and the allocation or variable nearest to it
  std::string hint;         ///< what to look at
  std::uint64_t count = 0;  ///< how often, over all threads and launches
  std::uint64_t bytes = 0;  ///< touched by all of them
};

/// From the next launch and the next allocation on. What was allocated before counts as
/// initialised.
void set_checking(Checks checks) noexcept;
Checks checking() noexcept;

/// Whether memcheck ends a kernel at every access outside of an allocation, even where a device
/// would go on: nothing that was not handed to the kernel is read or written then.
void set_strict_bounds(bool on) noexcept;

/// Runs each launch so many more times, each in another order of lanes, warps and blocks, and
/// reports memory that ends up different. So many blocks run at a time, each on a thread of its
/// own.
constexpr unsigned kScheduledBlocks = 4;
void set_schedules(unsigned count, unsigned blocks_at_a_time = kScheduledBlocks) noexcept;

/// Reads "memcheck,racecheck", "all" or "off"; false if a word is none of these.
bool parse_checks(std::string_view text, Checks& checks) noexcept;

/// Findings so far, in the order of their first appearance, the same whatever the number of
/// worker threads; forgets them, so that they no longer make the program's exit status 1.
std::vector<Finding> take_findings();

/// Whether findings are printed on stderr as they come, and counted when the program ends, which
/// then ends with status 1 if there was any. The environment variable COURSE_CHECK switches it on.
void set_check_report(bool on) noexcept;

}  // namespace emu
