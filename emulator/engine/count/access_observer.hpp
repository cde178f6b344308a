/// @file
/// Whoever looks at the accesses of a launch beside the counters: the hazard checks, the trace.
#pragma once

#include <cstdint>

#include "engine/count/phase_rows.hpp"

namespace emu {

/// An access that a lane is about to make.
struct LaneAccess {
  std::uintptr_t address = 0;
  std::uintptr_t key = 0;  ///< of the instruction
  AccessKind kind = AccessKind::load;
  unsigned bytes = 0;
};

/// Accesses that lanes may make without a word to anybody, because they are foretold.
struct Foretold {
  AccessKind kind = AccessKind::load;
  std::uintptr_t begin = 0;  ///< of all of them
  std::size_t bytes = 0;
  bool overlap = false;  ///< two of them may be of one byte; of loads it does not matter
};

/// A launch without observers pays nothing for them. They are told things in the order in which
/// they happen; what a lane does may end the kernel at any time, and the phase with it.
class AccessObserver {
 public:
  virtual ~AccessObserver() = default;

  /// Lanes of this warp of the block begin to run, from `first_lane` to the last and from 0 on.
  virtual void begin_phase([[maybe_unused]] unsigned warp, [[maybe_unused]] unsigned first_lane) {}
  /// A lane is about to make an access that was not foretold.
  virtual void before(const LaneAccess&) {}
  /// Whether lanes may do this unseen. If not, each of them comes before() it.
  virtual bool may_pass_unseen(const Foretold&) { return true; }
  /// Whose access it is: the one of the running lane in the row with these addresses.
  virtual void placed(const LaneAccess&, const RowAddresses&) {}
  /// All lanes have done what they could, and the phase's rows say what.
  virtual void end_phase(const PhaseRows& rows) = 0;
};

}  // namespace emu
