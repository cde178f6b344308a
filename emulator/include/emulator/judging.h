/// @file
/// Launches as nobody promises that they will be otherwise, and what an exercise asks of them
/// beside counters. Not part of CUDA: chapters never include it.
#pragma once

#include <cstdint>

namespace emu {

/// Runs launches in the order of this seed instead of the usual one, from access to access; they
/// are neither counted nor checked. 0: in the usual order. As COURSE_PREEMPT does.
void set_preempt_seed(std::uint64_t seed) noexcept;

/// Whether __activemask() and coalesced_threads() tell half of the lanes that are there of one
/// another, and the other half of one another: nobody promises that lanes which reach them are
/// together.
void set_parted_warps(bool on) noexcept;

/// Lets a shuffle bring another lane's value: of the lanes that take part, the one that comes so
/// many places behind the lane that was asked. What a shuffle has brought then becomes that lane's.
/// A reduction brings the value of that lane alone, and votes and matches take that lane's value
/// for the lane's own. 0: as usual.
void set_lane_turn(unsigned lanes) noexcept;

/// Of the launches since the last call: for each byte that a warp's lanes stored to global memory,
/// the bytes that they had asked for there by then. Stores that wait for more loads leave more of
/// them on their way. Atomic operations are stores.
std::uint64_t take_loads_before_stores() noexcept;

/// Warps that made any request to global memory, and to shared memory.
struct WorkingWarps {
  std::uint64_t global = 0, shared = 0;
};

/// Of the launches since the last call, of all blocks.
WorkingWarps take_working_warps() noexcept;

}  // namespace emu
