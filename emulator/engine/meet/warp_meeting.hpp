/// @file
/// Where the lanes of a warp meet that a mask names.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// The mask of a call lacks the lane that makes it: ends the kernel.
[[noreturn]] void refuse_mask(Worker& worker, WarpFunction function, unsigned mask,
                              const void* call_site);

/// The running lane calls `function`; `fill` adds what it brings along.
/// @return the result, once all lanes of the mask have called it
template <class Fill>
[[gnu::always_inline]] inline std::uint64_t meet_warp(Worker& worker, WarpFunction function,
                                                      unsigned mask, const void* call_site,
                                                      Fill&& fill) {
  const std::uint32_t bit = worker.bit();
  if (!(mask & bit)) refuse_mask(worker, function, mask, call_site);
  Warp& state = worker.state();
  WarpCall& call = state.lanes[worker.lane()].warp_call;
  call.function = function;
  call.mask = mask;
  call.call_site = call_site;
  fill(call);
  state.at(Meeting::warp) |= bit;
  worker.wait();
  return call.result;
}

/// How many places further than the lane that a shuffle asks the one is whose value it brings.
extern unsigned lane_turn;

/// The lanes that are at the same __activemask() call.
unsigned meet_active(Worker& worker, const void* call_site);

/// The decision of one complete collective for every lane in `lanes`.
void resolve(std::array<Lane, kWarpSize>& warp, std::uint32_t lanes);

}  // namespace emu
