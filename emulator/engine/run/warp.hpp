/// @file
/// The state of a warp's lanes: which can run, what the others wait for, and with which arguments.
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

/// The arguments and the result of a lane's warp function.
struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  ReduceOp reduce = ReduceOp::add;
  unsigned mask = 0;
  std::uint64_t value = 0;
  int lane_or_delta = 0;
  int width = 32;
  std::uint64_t result = 0;
  WorkOfWarp work = nullptr;   ///< for warp_together: `value` and `result` are pointers
  const char* name = nullptr;  ///< the function's name in messages
  const void* call_site = nullptr;
  int absent_source = -1;  ///< the lane that a shuffle would have read from, if it takes no part
};

/// The arguments of a lane's call of a block barrier.
struct BlockCall {
  int predicate = 0;
  unsigned id = 0;
  /// Number of threads that the barrier waits for; 0: all that have not exited.
  unsigned threads = 0;
  const void* call_site = nullptr;
};

/// The arguments of a lane that waits for a phase of an mbarrier.
struct MbarrierWait {
  const std::uint64_t* barrier = nullptr;
  unsigned parity = 0;
  const void* call_site = nullptr;
  bool is_over = false;  ///< the result: whether the phase is complete
};

/// The state of a lane that waits for the barrier of its cluster or its grid.
struct FarWait {
  std::uint64_t phase = 0;       ///< the barrier's phase: the wait ends when a later one has begun
  std::uint64_t arrived_in = 0;  ///< the block's phase in which the lane arrived
  const void* call_site = nullptr;
};

struct Lane {
  Stack* stack = nullptr;  ///< null unless the lane waits
  WarpCall warp_call;
  BlockCall block_call;
  FarWait far_wait;
  /// In lockstep: the access before which the lane waits for its turn; 0: none.
  std::uintptr_t next_access = 0;
  std::uint64_t next_path = 0;      ///< in lockstep: the rounds of loops around that access
  std::uintptr_t next_address = 0;  ///< in lockstep: the address of that access
};

/// The states of a warp's lanes, as masks with one bit a lane.
struct Warp {
  std::array<Lane, kWarpSize> lanes;
  std::uint32_t fresh = 0, ready = 0;
  std::array<std::uint32_t, kMeetings> waiting{};  ///< [Meeting]
  std::uint32_t polling = 0;  ///< subset of `ready`: lanes that poll an mbarrier
  /// Lanes that have arrived in the current phase of the cluster's barrier.
  std::uint32_t cluster_arrived = 0;
  bool yielded = false;  ///< all lanes of the last phase only yielded

  std::uint32_t at(Meeting meeting) const { return waiting[static_cast<std::size_t>(meeting)]; }
  std::uint32_t& at(Meeting meeting) { return waiting[static_cast<std::size_t>(meeting)]; }
  std::uint32_t runnable() const { return fresh | ready; }
  std::uint32_t alive() const {
    return std::accumulate(waiting.begin(), waiting.end(), runnable(), std::bit_or<>());
  }
  /// Lets the lanes `these`, which wait for `meeting`, go on.
  void release(Meeting meeting, std::uint32_t these) {
    at(meeting) &= ~these;
    ready |= these;
  }
};

}  // namespace emu
