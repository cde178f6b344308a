// The barrier of a cooperative grid.
#include "engine/meet/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

bool is_over(Worker& worker, const Block& block) {
  return block.at_grid_barrier && block.grid_phase != worker.crew().grid_phase();
}

}  // namespace

/// Completes the barrier for a block if it can. A block arrives when all of its threads that have
/// not exited wait.
bool end_grid_phase(Worker& worker, Block& block) {
  if (!block.at_grid_barrier) {
    const bool all_wait = std::all_of(block.warps.begin(), block.warps.end(), [](const Warp& w) {
      return w.alive() == w.at(Meeting::grid);
    });
    if (!all_wait) return false;
    block.at_grid_barrier = true;
    block.grid_phase = worker.crew().grid_phase();
    if (worker.crew().arrive_at_grid() && worker.checker()) worker.checker()->grid_barrier();
  }
  if (!is_over(worker, block)) return false;
  block.at_grid_barrier = false;
  if (worker.is_race_checked()) worker.checker()->race.passed_grid_barrier();
  for (Warp& warp : block.warps) warp.release(Meeting::grid, warp.at(Meeting::grid));
  return true;
}

bool has_other_grid_blocks(const Worker&, const Block& block) { return block.at_grid_barrier; }

std::string describe_grid_wait(const Block& block, unsigned thread) {
  return call_in_words("the grid's barrier", block.lane(thread).far_wait.call_site);
}

void meet_grid(Worker& worker, const void* call_site) {
  Warp& warp = worker.state();
  warp.lanes[worker.lane()].far_wait.call_site = call_site;
  warp.at(Meeting::grid) |= worker.bit();
  worker.wait();
}

}  // namespace emu
