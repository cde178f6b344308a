#include "engine/check/race_order.hpp"

#include <algorithm>
#include <bit>

namespace emu {

void RaceOrder::begin_block(unsigned warps) {
  if (warps_.size() != warps) warps_ = std::vector<Warp>(warps);
  for (Warp& warp : warps_) {
    warp.since = context_.block_first;
    warp.pairs.reset();
  }
  mbarriers_.begin_block(std::size_t{warps} * kWarpSize);
  fences_.begin_block(std::size_t{warps} * kWarpSize);
}

void RaceOrder::block_barrier() {
  mbarriers_.block_barrier();
  fences_.block_barrier();
}

void RaceOrder::warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive) {
  const std::uint32_t now = context_.segment + 1;
  Warp& state = warps_[warp];
  if (all_alive) {
    state.since = now;
    state.pairs.reset();
  } else {
    if (!state.pairs) {
      state.pairs = std::make_unique<std::array<OfLanes, kWarpSize>>();
      for (OfLanes& row : *state.pairs) row.fill(state.since);
    }
    OfLanes together{};
    for (unsigned other = 0; other < kWarpSize; ++other) {
      if (lanes >> other & 1) {
        together[other] = now;
        continue;
      }
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (lanes >> lane & 1)
          together[other] = std::max(together[other], (*state.pairs)[lane][other]);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) (*state.pairs)[lane] = together;
  }
  mbarriers_.warp_barrier(warp, lanes);
  fences_.warp_barrier(warp, lanes);
}

void RaceOrder::barrier_of_some(const std::vector<std::uint32_t>& lanes) {
  const auto for_threads = [&](auto&& visit) {
    for (unsigned warp = 0; warp < lanes.size(); ++warp)
      for (std::uint32_t left = lanes[warp]; left != 0; left &= left - 1)
        visit(warp * kWarpSize + static_cast<unsigned>(std::countr_zero(left)));
  };
  constexpr std::uintptr_t kNoAddress = 0;  // an mbarrier that lives for this meeting alone
  ++context_.segment;                       // what the threads have done is in earlier ones
  init_mbarrier(kNoAddress);
  for_threads([&](unsigned thread) { arrive(thread, kNoAddress); });
  end_phase_of(kNoAddress, 0);
  for_threads([&](unsigned thread) { waited(thread, kNoAddress, 0); });
}

std::uint32_t RaceOrder::since(unsigned warp, unsigned lane, unsigned other) const {
  const Warp& state = warps_[warp];
  const std::uint32_t of_warp = state.pairs ? (*state.pairs)[lane][other] : state.since;
  return std::max(of_warp, context_.block_since);
}

/// What a thread knows of its warp: of each lane, segments before are over.
RaceOrder::OfLanes RaceOrder::since_of_lanes(unsigned thread) const {
  OfLanes of_lane{};
  for (unsigned other = 0; other < kWarpSize; ++other)
    of_lane[other] = since(thread / kWarpSize, thread % kWarpSize, other);
  return of_lane;
}

void RaceOrder::fence(unsigned thread, FenceScope scope) {
  fences_.fence(thread, scope, since_of_lanes(thread), mbarriers_.clock(thread));
}

void RaceOrder::init_mbarrier(std::uintptr_t barrier) {
  mbarriers_.init(barrier);
  fences_.init_mbarrier(barrier);
}

void RaceOrder::arrive(unsigned thread, std::uintptr_t barrier) {
  mbarriers_.arrive(thread, barrier, since_of_lanes(thread));
  fences_.arrive(thread, barrier);
}

void RaceOrder::waited(unsigned thread, std::uintptr_t barrier, unsigned parity) {
  mbarriers_.waited(thread, barrier, parity);
  fences_.waited(thread, barrier);
}

bool RaceOrder::before(AccessRecord record, unsigned record_lane, unsigned lane) const {
  const unsigned thread = context_.warp * kWarpSize + lane;
  if (const MbarrierOrder::Copy* const copy = mbarriers_.copy_of(record))
    return mbarriers_.knows(thread, *copy);
  const std::uint32_t segment = record.segment();
  if (segment >= context_.block_first) {
    if (segment < context_.block_since) return true;
    if (record.warp() == context_.warp &&
        (record_lane == lane || segment < since(context_.warp, lane, record_lane)))
      return true;
    if (segment < mbarriers_.clock(thread)[record.warp() * kWarpSize + record_lane]) return true;
  }
  return fences_.covers(thread, record, record_lane);
}

}  // namespace emu
