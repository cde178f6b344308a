/// @file
/// Blocks that share their shared memory and a barrier. All of them run on one worker.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/run/shared_windows.hpp"

namespace emu {

struct Block;
struct CheckedCluster;
class Worker;

struct Cluster {
  Cluster(std::uint64_t its_number, std::size_t its_blocks, char* shared, std::size_t shared_bytes)
      : number(its_number), blocks(its_blocks), windows(shared, shared_bytes) {}

  std::uint64_t number;          ///< in the grid of clusters, x first
  std::vector<Block*> blocks;    ///< [rank]; null: not begun, or over
  unsigned begun = 0, over = 0;  ///< blocks
  std::uint64_t phase = 0;       ///< of the barrier
  SharedWindows windows;         ///< where its blocks' shared memory is while they are parked

  std::shared_ptr<CheckedCluster> checked;  ///< what the checks follow of it

  bool is_split = false;  ///< in this phase, a thread did something between arrival and wait

  bool is_over() const { return over == blocks.size(); }
};

/// All threads of the cluster that have not exited have arrived at its barrier: begins the next
/// phase. Blocks that have not begun are waited for.
/// @return whether it did
bool end_cluster_phase_if_complete(Worker& worker, Cluster& cluster);

/// The running lane arrives at the barrier of its cluster, and waits there until all have.
void arrive_at_cluster(Worker& worker, const void* call_site);
void wait_for_cluster(Worker& worker, const void* call_site);

}  // namespace emu
