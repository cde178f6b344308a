/// @file
/// Interface for those who follow the accesses of a launch beside the counters: the hazard checks
/// and the trace.
#pragma once

#include <cstdint>

#include "engine/count/phase_rows.hpp"

namespace emu {

/// An access that a lane is about to make.
struct LaneAccess {
  std::uintptr_t address = 0;
  std::uintptr_t key = 0;  ///< identifies the instruction
  AccessKind kind = AccessKind::load;
  unsigned bytes = 0;
};

/// Accesses that the lanes of a warp are predicted to make. A lane that makes its predicted access
/// is not reported to anyone.
struct PredictedAccesses {
  AccessKind kind = AccessKind::load;
  std::uintptr_t begin = 0;  ///< `begin` and `bytes`: the range that contains all of them
  std::size_t bytes = 0;
  bool overlap = false;  ///< two of them may share a byte, which does not matter for loads
};

/// Observes accesses; a launch without observers pays nothing. Calls come in the order of events.
/// Any access may end the kernel, and then the phase has no end_phase().
class AccessObserver {
 public:
  virtual ~AccessObserver() = default;

  /// Called when a phase of a warp begins: its lanes run from `first_lane` to the last one, then
  /// from lane 0 on.
  virtual void begin_phase([[maybe_unused]] unsigned warp, [[maybe_unused]] unsigned first_lane) {}
  /// Called before a lane makes an access that was not predicted.
  virtual void before(const LaneAccess&) {}
  /// Returns whether lanes may make predicted accesses unreported. If not, before() is called for
  /// each.
  virtual bool may_go_unreported(const PredictedAccesses&) { return true; }
  /// Called after before(): the running lane's access belongs to the row with these addresses.
  virtual void assigned_to_row(const LaneAccess&, const RowAddresses&) {}
  /// Called when all lanes of the phase have waited or ended; `rows` has all their accesses.
  virtual void end_phase(const PhaseRows& rows) = 0;
};

}  // namespace emu
