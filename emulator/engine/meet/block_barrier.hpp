/// @file
/// The barriers of a block: kBarriers of them, __syncthreads() being number 0.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// The running lane waits at barrier `id` for `threads` of the block, or for all that have not
/// exited (0).
BarrierResult meet_block(Worker& worker, int predicate, const void* call_site, unsigned id = 0,
                         unsigned threads = 0);

/// The running lane counts there, but does not wait.
void arrive_at_barrier(Worker& worker, unsigned id, unsigned threads, const void* call_site);

}  // namespace emu
