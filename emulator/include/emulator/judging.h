/// @file
/// Launches in unusual but permitted orders, and further measurements for exercises. Not part of
/// CUDA: chapters never include it.
#pragma once

#include <cstdint>

namespace emu {

/// Runs launches in the order chosen by this seed, switching at each access; they are neither
/// counted nor checked. 0: in the usual order. Corresponds to COURSE_PREEMPT.
void set_preempt_seed(std::uint64_t seed) noexcept;

/// Sets whether __activemask() and coalesced_threads() split the active lanes into two halves, each
/// of which sees only itself. CUDA does not guarantee that lanes which reach them are together.
void set_parted_warps(bool on) noexcept;

/// Makes shuffles return another lane's value: of the participating lanes, the one `lanes` places
/// after the requested lane. The returned value counts as that lane's. A reduction returns the
/// value of that lane alone; votes and matches use that lane's value instead of the lane's own. 0:
/// as usual.
void set_lane_turn(unsigned lanes) noexcept;

/// Returns, for the launches since the last call, a sum over all bytes that a warp's lanes stored
/// to global memory: the bytes that they had loaded from there before. A kernel that loads more
/// before each store has more loads in flight. Atomic operations count as stores.
std::uint64_t take_loads_before_stores() noexcept;

/// Returns, for the launches since the last call that were checked for hazards, the number of
/// stores to global memory by threads that had asked for asynchronous copies of their own
/// (cp.async) and had waited for all of them: nothing was on its way to such a thread's shared
/// memory. A store counts once for each lane; atomic operations count as stores.
std::uint64_t take_stores_without_copies() noexcept;

/// Numbers of warps with requests to global memory and to shared memory.
struct WorkingWarps {
  std::uint64_t global = 0, shared = 0;
};

/// Returns the sums over all blocks of the launches since the last call.
WorkingWarps take_working_warps() noexcept;

}  // namespace emu
