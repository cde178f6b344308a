/// @file
/// A cluster: blocks that can access each other's shared memory and share a barrier. They all run
/// on one worker.
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

  std::uint64_t number;          ///< number in the grid of clusters, x first
  std::vector<Block*> blocks;    ///< [rank]; null: not begun, or ended
  unsigned begun = 0, over = 0;  ///< number of blocks
  std::uint64_t phase = 0;       ///< phase of the cluster's barrier
  SharedWindows windows;         ///< shared memory of its parked blocks

  std::shared_ptr<CheckedCluster> checked;  ///< state that the checks keep

  /// In this phase, some thread does something between arriving and waiting.
  bool is_split = false;

  bool is_over() const { return over == blocks.size(); }
};

/// Begins the barrier's next phase if all threads of the cluster that have not exited have arrived.
/// Blocks that have not begun are waited for.
/// @return whether a new phase has begun
bool end_cluster_phase_if_complete(Worker& worker, Cluster& cluster);

/// Arrives at the cluster's barrier, for the running lane.
/// Waits at the cluster's barrier until all have arrived, for the running lane.
void arrive_at_cluster(Worker& worker, const void* call_site);
void wait_for_cluster(Worker& worker, const void* call_site);

}  // namespace emu
