/// @file
/// Launches as nobody promises that they will be otherwise, and what an exercise asks of them
/// beside counters. Not part of CUDA: chapters never include it.
#pragma once

#include <cstdint>

namespace emu {

/// Runs launches in the order of this seed instead of the usual one, from access to access; they
/// are neither counted nor checked. 0: in the usual order. As COURSE_PREEMPT does.
void set_preempt_seed(std::uint64_t seed) noexcept;

/// Whether __activemask() tells half of the lanes that are there of one another, and the other half
/// of one another: nobody promises that lanes which reach it are together.
void set_parted_warps(bool on) noexcept;

/// Whether shuffles and reductions of a warp give wrong results, off by their lowest bit: what does
/// not change then does not come from them.
void set_wrong_shuffles(bool on) noexcept;

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
