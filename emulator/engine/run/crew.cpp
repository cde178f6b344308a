#include "engine/run/crew.hpp"

#include <algorithm>

#include "emulator/occupancy.h"
#include "engine/run/extents.hpp"
#include "engine/settings.hpp"

namespace emu {

Crew::Crew(const Launch& launch, unsigned workers, std::atomic<bool>& stop)
    : workers_(workers), stop_(stop) {
  blocks_ = volume(launch.grid);
  units_ = blocks_ / volume(launch.cluster);
  // Hands out neighbouring blocks together: their memory is usually adjacent, so that the CPU's
  // prefetcher helps.
  constexpr std::uint64_t kShares = 16, kMostTogether = 64;
  together_ = launch.preempted || launch.cooperative
                  ? 1
                  : std::clamp(units_ / (kShares * workers), std::uint64_t{1}, kMostTogether);
  const unsigned at_once = blocks_at_once(
      launch.kernel, static_cast<unsigned>(volume(launch.block)), launch.dynamic_shared_bytes);
  most_alive_ = std::max<std::uint64_t>(at_once / workers, 2);
  if (launch.preempted) most_alive_ = settings().scheduled_blocks;
  if (launch.cooperative) most_alive_ = blocks_;
}

Crew::Units Crew::take_units() {
  const std::uint64_t first = next_unit_.fetch_add(together_, std::memory_order_relaxed);
  return first < units_ ? Units{first, std::min(first + together_, units_)} : Units{0, 0};
}

bool Crew::arrive_at_grid() {
  const std::lock_guard lock(mutex_);
  if (++arrived_ < blocks_) return false;
  arrived_ = 0;
  idle_ -= waiting_;
  waiting_ = 0;
  grid_phase_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
  return true;
}

bool Crew::wait_for_grid(std::uint64_t phase) {
  std::unique_lock lock(mutex_);
  if (grid_phase() != phase) return true;
  if (idle_ + 1 == workers_) return false;
  ++idle_;
  ++waiting_;
  changed_.wait(lock, [&] { return grid_phase() != phase || must_stop() || idle_ == workers_; });
  // The block that completed the phase has already reset the counts.
  if (grid_phase() != phase) return true;
  --idle_;
  --waiting_;
  return must_stop();
}

void Crew::leave() {
  const std::lock_guard lock(mutex_);
  ++idle_;
  changed_.notify_all();
}

void Crew::stopped() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

}  // namespace emu
