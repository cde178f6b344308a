/// @file
/// The workers of a launch, and what they share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "engine/engine.hpp"

namespace emu {

/// Blocks are handed out in units: a cluster, or a single block.
class Crew {
 public:
  Crew(const Launch& launch, unsigned workers, std::atomic<bool>& stop);

  bool must_stop() const { return stop_.load(std::memory_order_relaxed); }
  unsigned workers() const { return workers_; }

  /// The next units: [first, end); empty if there are no more.
  struct Units {
    std::uint64_t first, end;
  };
  Units take_units();
  bool has_units() const { return next_unit_.load(std::memory_order_relaxed) < units_; }
  /// How many blocks of the launch may be alive at once on one worker: as many as a device could
  /// hold, and at least two.
  std::uint64_t most_alive() const { return most_alive_; }

  /// A block has come to the grid's barrier.
  /// @return whether it was the last
  bool arrive_at_grid();
  /// How often all blocks have come there.
  std::uint64_t grid_phase() const { return grid_phase_.load(std::memory_order_acquire); }
  /// Waits until the grid's barrier has gone on from `phase`.
  /// @return false if it never will, because every worker waits or has gone
  bool wait_for_grid(std::uint64_t phase);
  void leave();    ///< a worker has no more blocks
  void stopped();  ///< must_stop() has become true

 private:
  std::uint64_t units_, blocks_, most_alive_;
  unsigned workers_;
  std::uint64_t together_;
  std::atomic<bool>& stop_;
  std::atomic<std::uint64_t> next_unit_{0};
  std::atomic<std::uint64_t> grid_phase_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t arrived_ = 0;
  unsigned idle_ = 0, waiting_ = 0;  // workers that wait or have left; those that wait
};

}  // namespace emu
