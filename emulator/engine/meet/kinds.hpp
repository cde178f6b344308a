/// @file
/// The functions in the table of meetings.cpp, by kind of meeting.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

// warp_meeting.cpp
void complete_warp_calls(Worker& worker, Block& block, unsigned warp);
std::string describe_warp_wait(const Block& block, unsigned thread);
void answer_active_mask(Worker& worker, Block& block, unsigned warp);
bool answer_active_masks(Worker& worker, Block& block);

// block_barrier.cpp
void complete_counted_barriers(Worker& worker, Block& block, unsigned warp);
bool complete_barriers(Worker& worker, Block& block);
std::string describe_barrier_wait(const Block& block, unsigned thread);

// mbarriers.cpp, copies.cpp
void release_mbarrier_waits(Worker& worker, Block& block, unsigned warp);
bool make_awaited_copy(Worker& worker, Block& block);
std::string describe_mbarrier_wait(const Block& block, unsigned thread);

// Makes the pending bulk stores of a block that has ended.
/// Of a block that ends.
void make_all_bulk_stores(Worker& worker, Block& block);

// cluster.cpp
bool end_cluster_phase(Worker& worker, Block& block);
bool has_other_blocks(const Worker& worker, const Block& block);
std::string describe_cluster_wait(const Block& block, unsigned thread);

// grid.cpp
bool end_grid_phase(Worker& worker, Block& block);
bool has_other_grid_blocks(const Worker& worker, const Block& block);
std::string describe_grid_wait(const Block& block, unsigned thread);

/// Returns a call with its line: "__syncthreads (kernel.cu:12)".
std::string call_in_words(const char* name, const void* call_site);

/// Returns the running lane's worker. In host code, ends the program: `function` is not supported
/// there.
[[gnu::always_inline]] inline Worker& worker_of_lane(const char* function) {
  if (Worker* running = Worker::running(); running && running->lane_is_running()) return *running;
  unsupported(function);
}

}  // namespace emu
