/// @file
/// The counters of a whole program, kernel by kernel and line by line (COURSE_PROFILE).
///
/// A line's *waste* is what better addresses would save: sectors beyond those that the requested
/// bytes fill, wavefronts beyond the ideal, lanes that sit out. The units cannot be compared, so a
/// kernel has up to three worst lines, one a unit, and none if it wastes nothing worth telling.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/counters.h"

namespace emu {

/// The loads, stores or atomics that begin in one column of a line.
struct InstructionProfile {
  int column = 0;          ///< of the preprocessed text; 0: not known
  std::string expression;  ///< "A[row * k + p]"; empty if the column does not tell
  Counters counters;
};

struct LineProfile {
  int number = 0;    ///< 0: not known
  std::string text;  ///< empty if the source cannot be read
  Counters counters;
  std::vector<InstructionProfile> instructions;  ///< by column; none where nothing is counted
};

struct SourceProfile {
  std::string file;  ///< with its folder; empty: the program has no debug information
  bool is_readable = false;
  std::vector<LineProfile> lines;  ///< ascending: whole functions, with gaps between them
};

enum class Waste : std::uint8_t { sectors, wavefronts, lanes };

struct WorstLine {
  Waste waste = Waste::sectors;
  std::size_t source = 0;  ///< index in KernelProfile::sources
  int line = 0;
  std::string reason;  ///< "load A[row * k + p]: 32 sectors per request; 4 would do"
};

struct KernelProfile {
  std::string kernel;     ///< short name: `tiled::copy<float>`
  std::string signature;  ///< tells instantiations and overloads apart
  std::uint64_t launches = 0;
  Counters counters;
  std::vector<SourceProfile> sources;  ///< the kernel's own first, the others by name
  std::vector<WorstLine> worst;
};

/// Adds a launch of the kernel at `address` (null: not known), if a profile was asked for.
void add_to_profile(const LaunchRecord& launch, const void* address);

/// Finds what to mark: for each kind of waste the line with most of it. A line that could save less
/// than a hundredth of its sectors or wavefronts is not marked. A line is marked for its idle lanes
/// if they are more than half of all lanes that the kernel's instructions could use; or an eighth
/// of them, where the line has at most half of its lanes active, but more than one. Where the mark
/// of another waste tells of these lanes, it stands alone.
std::vector<WorstLine> worst_lines(const KernelProfile& kernel);

/// What a line or instruction does to one kind of memory: a row of a listing.
struct AccessRow {
  const char* access;  ///< "global load"
  std::uint64_t requests, cost, ideal;
  const char* unit;       ///< of `cost` and `ideal`: "sector" or "wavefront"; else empty
  double efficiency_pct;  ///< bytes asked for per byte moved; ideal per wavefront
  std::uint64_t excess() const { return cost > ideal ? cost - ideal : 0; }
};
std::vector<AccessRow> access_rows(const Counters& counters);

/// What a listing says below an instruction of its loads that a compiler may leave out; empty if
/// there are fewer than a hundredth.
std::string repeated_loads_text(const Counters& counters);

/// "2.5", "32": two decimals at most, none that is zero.
std::string short_number(double value);

}  // namespace emu
