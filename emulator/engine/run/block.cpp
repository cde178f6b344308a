#include "engine/run/block.hpp"

#include <algorithm>
#include <utility>

#include "emulator/device.h"
#include "engine/meet/async.hpp"
#include "engine/run/extents.hpp"
#include "engine/run/order.hpp"
#include "engine/run/worker.hpp"

namespace emu {

namespace {
// Time without progress (rounds of nothing but yields) after which a block counts as stuck. An
// attempt to run checked blocks at the same time waits less: the blocks can still run in turn.
constexpr std::uint64_t kStuckAfterNs = 20'000'000'000, kGivesUpAfterNs = 1'000'000'000;
}  // namespace

void Block::begin(const Launch& of_launch, std::uint64_t number, Cluster* in_cluster) {
  launch = &of_launch;
  linear = number;
  index = coordinates_of(launch->grid, number);
  threads = static_cast<unsigned>(volume(launch->block));
  warps.resize((threads + kWarpSize - 1) / kWarpSize);
  mbarrier_waits.resize(warps.size() * kWarpSize);
  requests.assign(warps.size(), {});
  loads.clear();
  for (unsigned w = 0; w < warps.size(); ++w) {
    Warp& warp = warps[w];
    const unsigned lanes = std::min(kWarpSize, threads - w * kWarpSize);
    warp.fresh = lanes == kWarpSize ? kFullMask : (1u << lanes) - 1;
    warp.ready = warp.polling = warp.cluster_arrived = 0;
    warp.waiting.fill(0);
  }
  cluster = in_cluster;
  rank = 0;
  copies.clear();
  late_stores.clear();
  bulk_stores.clear();
  time_outs = 0;
  at_grid_barrier = false;
  in_phase = progress = gives_way = false;
  phases = idle_rounds = rounds_alone = 0;
  random_state = launch->seed * kRandomStep ^ (number + 1);
  is_spinning = false;
  may_go_on = help_may_come = true;
  parked.clear();
  turns->begin(*this);
}

std::uint64_t Block::order_of(std::uint64_t salt) const {
  return scrambled(launch->seed + kRandomStep * (linear + 1) + salt * 0xd1b54a32d192ed03u);
}

bool Block::any_alive() const {
  return std::any_of(warps.begin(), warps.end(), [](const Warp& w) { return w.alive() != 0; });
}

std::uint32_t Block::waiting_anywhere(Meeting meeting) const {
  std::uint32_t lanes = 0;
  for (const Warp& warp : warps) lanes |= warp.at(meeting);
  return lanes;
}

void Block::begin_phase(Worker& worker, unsigned w, std::uint32_t lanes, unsigned first) {
  in_phase = true;
  phase_warp = w;
  phase_lanes = lanes;
  warps[w].yielded = true;
  lane_turn = 0;
  first_lane = first;
  ++phases;
  worker.begin_phase(w, first);
}

void Block::end_phase(Worker& worker) {
  in_phase = false;
  worker.end_phase();
  Warp& warp = warps[phase_warp];
  if ((warp.ready & phase_lanes) != phase_lanes) warp.yielded = false;
  for (std::size_t kind = 0; kind < kMeetings; ++kind) {
    const auto meeting = static_cast<Meeting>(kind);
    if (warp.at(meeting) == 0) continue;
    if (const auto after_phase = kind_of(meeting).after_phase)
      after_phase(worker, *this, phase_warp);
  }
  if (warp.yielded) return;
  progress = true;
  rounds_alone = 0;
}

unsigned Block::next_thread(Worker& worker) {
  for (;;) {
    if (in_phase) {
      Warp& warp = warps[phase_warp];
      while (lane_turn < kWarpSize) {
        const unsigned lane = (lane_turn++ + first_lane) % kWarpSize;
        const std::uint32_t bit = 1u << lane;
        if (!(phase_lanes & bit)) continue;
        warp.fresh &= ~bit;
        warp.ready &= ~bit;
        return phase_warp * kWarpSize + lane;
      }
      end_phase(worker);
    }
    if (worker.wants_another_block()) return kLeavesStage;
    if (turns->begin_phase(worker, *this)) continue;
    unsigned result = 0;
    if (finish_round(worker, &result)) return result;
  }
}

/// Called after every warp that can run has had a turn. Helps lanes whose waits cannot end
/// otherwise, or decides that the block leaves the stage.
/// @return whether `result` holds what next_thread() returns
bool Block::finish_round(Worker& worker, unsigned* result) {
  bool runnable = false;
  for (unsigned w = 0; w < warps.size(); ++w) {
    if (warps[w].at(Meeting::mbarrier)) kind_of(Meeting::mbarrier).after_phase(worker, *this, w);
    runnable |= warps[w].runnable() != 0;
  }
  if (runnable) return has_spun(worker, result);
  *result = kNobody;
  if (!any_alive()) return true;
  bool may_be_helped = false;
  for (std::size_t i = 0; i < kMeetings; ++i) {
    const auto meeting = static_cast<Meeting>(i);
    if (waiting_anywhere(meeting) == 0) continue;
    const MeetingKind& kind = kind_of(meeting);
    if (kind.when_idle && kind.when_idle(worker, *this)) return false;
    may_be_helped |= kind.may_be_helped && kind.may_be_helped(worker, *this);
  }
  if (may_be_helped && help_may_come) {
    *result = kLeavesStage;
    is_spinning = may_go_on = false;
    return true;
  }
  help_may_come = true;  // a lane whose wait times out may act, and so release the others
  if (!time_out_waits(*this)) worker.report_stuck("can never go on");
  return false;
}

/// Called after a round in which some lanes could run. If they only look again and again whether
/// another thread has done something, the block leaves the stage for another one.
/// @return whether `result` holds what next_thread() returns
bool Block::has_spun(Worker& worker, unsigned* result) {
  constexpr std::uint64_t kIdleRounds = 1024, kRoundsAlone = 4;
  // A lane that fences while it polls seems to make progress. If the attempt is over, what it waits
  // for may never come.
  if (launch->attempt && worker.must_stop()) worker.abandon();
  if (std::exchange(progress, false) || make_awaited_copy(worker, *this)) {
    idle_rounds = 0;
  } else if (++idle_rounds % kIdleRounds == 0) {
    if (worker.must_stop()) worker.abandon();
    if (idle_rounds == kIdleRounds)
      idle_since_ns = clock();
    else if (clock() - idle_since_ns > (launch->attempt ? kGivesUpAfterNs : kStuckAfterNs))
      worker.report_stuck("makes no progress");
  }
  const bool leaves = std::exchange(gives_way, false);
  if ((++rounds_alone < kRoundsAlone && !leaves) || !worker.has_another_block()) return false;
  rounds_alone = 0;
  is_spinning = may_go_on = true;
  *result = kLeavesStage;
  return true;
}

}  // namespace emu
