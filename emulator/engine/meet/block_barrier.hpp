/// @file
/// The kBarriers named barriers of a block; __syncthreads() is number 0.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// Waits at barrier `id` for `threads` threads of the block, or for all that have not exited (0).
BarrierResult meet_block(Worker& worker, int predicate, const void* call_site, unsigned id = 0,
                         unsigned threads = 0);

/// Counts the running lane as arrived at a barrier, without waiting.
void arrive_at_barrier(Worker& worker, unsigned id, unsigned threads, const void* call_site);

}  // namespace emu
