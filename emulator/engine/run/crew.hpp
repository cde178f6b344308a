/// @file
/// The workers that run one launch, and the state that they share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "engine/engine.hpp"

namespace emu {

/// The workers of a launch. Blocks are handed out in units: a cluster, or a single block without
/// clusters.
class Crew {
 public:
  Crew(const Launch& launch, unsigned workers, std::atomic<bool>& stop);

  bool must_stop() const { return stop_.load(std::memory_order_relaxed); }
  unsigned workers() const { return workers_; }

  /// A range [first, end) of units; empty if none is left.
  struct Units {
    std::uint64_t first, end;
  };
  Units take_units();
  bool has_units() const { return next_unit_.load(std::memory_order_relaxed) < units_; }
  /// Returns how many blocks one worker may have begun and not ended: its share of what a device
  /// holds at once, and at least two. All blocks in a cooperative launch.
  std::uint64_t most_alive() const { return most_alive_; }

  /// Records that a block has arrived at the barrier of the grid.
  /// @return whether it was the last one, which completes the phase
  bool arrive_at_grid();
  /// Returns the number of completed phases of the grid's barrier.
  std::uint64_t grid_phase() const { return grid_phase_.load(std::memory_order_acquire); }
  /// Waits until the grid's barrier has completed phase `phase`.
  /// @return false if it never will, because every other worker waits too or has left
  bool wait_for_grid(std::uint64_t phase);
  void leave();    ///< tells that a worker has no more blocks
  void stopped();  ///< wakes the waiting workers after must_stop() has become true

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
  // idle_: workers that wait or have left; waiting_: those that wait
  unsigned idle_ = 0, waiting_ = 0;
};

}  // namespace emu
