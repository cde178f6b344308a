/// @file
/// The counters of a whole program, by kernel and line (COURSE_PROFILE).
///
/// A line's *waste* is what better addresses would save: sectors beyond those that the requested
/// bytes fill, wavefronts beyond the ideal, addresses of constant memory beyond one a request,
/// inactive lanes. These units cannot be compared. So a kernel has up to four worst lines, one for
/// each unit, and none if no waste is worth a mark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/counters.h"

namespace emu {

/// The loads, the stores or the atomics that begin in one column of a line.
struct InstructionProfile {
  int column = 0;          ///< of the preprocessed text; 0: unknown
  std::string expression;  ///< "A[row * k + p]"; empty if the column has several
  Counters counters;
};

struct LineProfile {
  int number = 0;    ///< 0: unknown
  std::string text;  ///< empty if the source cannot be read
  Counters counters;
  std::vector<InstructionProfile> instructions;  ///< by column; empty where nothing is counted
};

struct SourceProfile {
  std::string file;  ///< with its folder; empty: no debug information
  bool is_readable = false;
  std::vector<LineProfile> lines;  ///< ascending; whole functions, with gaps between them
};

enum class Waste : std::uint8_t { sectors, wavefronts, addresses, lanes };

struct WorstLine {
  Waste waste = Waste::sectors;
  std::size_t source = 0;  ///< index in KernelProfile::sources
  int line = 0;
  std::string reason;  ///< "load A[row * k + p]: 32 sectors per request; 4 would do"
};

struct KernelProfile {
  std::string kernel;     ///< short name: `tiled::copy<float>`
  std::string signature;  ///< distinguishes instantiations and overloads
  std::uint64_t launches = 0;
  Counters counters;
  std::vector<SourceProfile> sources;  ///< the kernel's own file first, the others by name
  std::vector<WorstLine> worst;
};

/// Adds a launch of the kernel at `address` (null: unknown) to the profile, if one was requested.
void add_to_profile(const LaunchRecord& launch, const void* address);

/// Returns the lines to mark: for each kind of waste, the line with most of it. A line that could
/// save less than a hundredth of its sectors, wavefronts or addresses is not marked. A line is
/// marked for inactive lanes if these are more than half of all lanes that the kernel's
/// instructions could use; an eighth is enough if at most half of the line's lanes are active, but
/// more than one. If another mark on the line mentions its inactive lanes, that one stands alone.
std::vector<WorstLine> worst_lines(const KernelProfile& kernel);

/// One kind of access of a line or instruction: a row of a listing.
struct AccessRow {
  const char* access;  ///< "global load"
  std::uint64_t requests, cost, ideal;
  Waste waste;            ///< what `cost` beyond `ideal` wastes
  double efficiency_pct;  ///< requested bytes per moved byte; for others, ideal per actual
  std::uint64_t excess() const { return cost > ideal ? cost - ideal : 0; }
};
std::vector<AccessRow> access_rows(const Counters& counters);

/// Returns "1 sector" or "2.5 sectors": the cost of one of the row's requests.
std::string cost_per_request(const AccessRow& row);
/// Returns "4": what one of its requests would cost at best.
std::string ideal_per_request(const AccessRow& row);

/// Returns the remark below an instruction about loads that a compiler may leave out; empty if they
/// are less than a hundredth.
std::string repeated_loads_text(const Counters& counters);

/// Returns the value with at most two decimals and no final zero: "2.5", "32".
std::string short_number(double value);

}  // namespace emu
