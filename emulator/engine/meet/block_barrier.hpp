/// @file
/// The kBarriers named barriers of a block; __syncthreads() is number 0. The barriers of tiles of
/// several warps have the numbers behind them.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// Waits at barrier `id` for `threads` threads of the block, or for all that have not exited (0).
BarrierResult meet_block(Worker& worker, int predicate, const void* call_site, unsigned id = 0,
                         unsigned threads = 0);

/// Waits for all `threads` threads of the tile that the running lane is in: the neighbours whose
/// numbers differ from its own in the lower bits alone. `threads` is a power of 2, above a warp.
void meet_tile(Worker& worker, unsigned threads, const void* call_site);

/// The same. If `gives`, hands over `value` for the lane's warp; then writes what was handed over
/// for each of the tile's warps to `values`.
void exchange_in_tile(Worker& worker, unsigned threads, bool gives, std::uint64_t value,
                      std::uint64_t* values, const void* call_site);

/// Counts the running lane as arrived at a barrier, without waiting.
void arrive_at_barrier(Worker& worker, unsigned id, unsigned threads, const void* call_site);

}  // namespace emu
