/// @file
/// The lanes of a warp: who runs, who waits for what, and what each brought along.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>

#include "emulator/device.h"
#include "engine/count/cost.hpp"
#include "engine/meet/meeting.hpp"
#include "engine/meet/warp_together.hpp"

namespace emu {

struct Stack;

enum class WarpFunction : std::uint8_t {
  sync,
  ballot,
  all,
  any,
  uniform,
  match_any,
  match_all,
  reduce,
  together,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor
};
const char* name_of(WarpFunction function);

/// What a lane brings to a collective of its warp, and takes from it.
struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  ReduceOp reduce = ReduceOp::add;
  unsigned mask = 0;
  std::uint64_t value = 0;
  int lane_or_delta = 0;
  int width = 32;
  std::uint64_t result = 0;
  WorkOfWarp work = nullptr;   ///< of warp_together, for which `value` and `result` are pointers
  const char* name = nullptr;  ///< ... and what messages call it
  const void* call_site = nullptr;
  int absent_source = -1;  ///< the lane a shuffle would have read from, if it takes no part
};

/// What a lane brings to a barrier of its block.
struct BlockCall {
  int predicate = 0;
  unsigned id = 0;
  unsigned threads = 0;  ///< that the barrier waits for; 0: all that have not exited
  const void* call_site = nullptr;
};

/// What a lane that waits for a phase of an mbarrier waits for.
struct MbarrierWait {
  const std::uint64_t* barrier = nullptr;
  unsigned parity = 0;
  const void* call_site = nullptr;
  bool is_over = false;  ///< the answer
};

/// What a lane that waits for its cluster or its grid waits for.
struct FarWait {
  std::uint64_t phase = 0;       ///< of the barrier: over when a later one has begun
  std::uint64_t arrived_in = 0;  ///< the block's phase in which the lane arrived
  const void* call_site = nullptr;
};

struct Lane {
  Stack* stack = nullptr;  ///< while it waits
  WarpCall warp_call;
  BlockCall block_call;
  FarWait far_wait;
  std::uintptr_t next_access = 0;   ///< where it waits for its turn, in lockstep; 0: elsewhere
  std::uint64_t next_path = 0;      ///< ... in which rounds of loops
  std::uintptr_t next_address = 0;  ///< ... and what it is about to touch
};

/// Lanes by state, one bit a lane.
struct Warp {
  std::array<Lane, kWarpSize> lanes;
  std::uint32_t fresh = 0, ready = 0;
  std::array<std::uint32_t, kMeetings> waiting{};  ///< [Meeting]
  std::uint32_t polling = 0;          ///< of `ready`: they look at an mbarrier again and again
  std::uint32_t cluster_arrived = 0;  ///< at the running phase of the cluster's barrier
  bool yielded = false;               ///< nothing but yields in the last phase

  std::uint32_t at(Meeting meeting) const { return waiting[static_cast<std::size_t>(meeting)]; }
  std::uint32_t& at(Meeting meeting) { return waiting[static_cast<std::size_t>(meeting)]; }
  std::uint32_t runnable() const { return fresh | ready; }
  std::uint32_t alive() const {
    return std::accumulate(waiting.begin(), waiting.end(), runnable(), std::bit_or<>());
  }
  /// These, which wait there, go on.
  void release(Meeting meeting, std::uint32_t these) {
    at(meeting) &= ~these;
    ready |= these;
  }
};

}  // namespace emu
