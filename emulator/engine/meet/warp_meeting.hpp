/// @file
/// Meetings of the lanes in a mask.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// Ends the kernel because the mask of a call does not contain the calling lane.
[[noreturn]] void refuse_mask(Worker& worker, WarpFunction function, unsigned mask,
                              const void* call_site);

/// Calls `function` for the running lane; `fill` adds the arguments.
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

/// By how many places shuffles read from a wrong lane. Always 0, except in runs of a judge.
extern unsigned lane_turn;

/// Returns the lanes that are at the same __activemask() call.
unsigned meet_active(Worker& worker, const void* call_site);

/// Computes the results of a complete warp function for every lane in `lanes`.
void resolve(std::array<Lane, kWarpSize>& warp, std::uint32_t lanes);

}  // namespace emu
