/// @file
/// What the checks follow of a block, and of its cluster; it is parked with the block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/async_reads.hpp"
#include "engine/check/proxy_fences.hpp"
#include "engine/check/race_fences.hpp"
#include "engine/check/race_mbarriers.hpp"
#include "engine/check/shadow.hpp"

namespace emu {

/// What the lanes of a warp know of one another.
struct WarpOrder {
  using OfLanes = std::array<std::uint32_t, kWarpSize>;

  std::uint32_t since = 0;  ///< segments before are over for all its lanes
  /// [lane][other]: the same for a pair, once some lanes synchronised without the others
  std::unique_ptr<std::array<OfLanes, kWarpSize>> pairs;
};

/// Blocks that can reach one another's shared memory; a block without a cluster has one of its own.
struct CheckedCluster {
  std::uint64_t number = 0;
  std::vector<CheckedBlock*> blocks;  ///< [rank]; null: not begun, or over
  std::uint32_t since = 1;  ///< for all its threads, segments before of its blocks are over
  bool all_waited = false;  ///< ... before the newest phase of its barrier, which says it all
  MbarrierOrder order;
  FenceOrder::OfCluster fences;
};

/// A thread that has returned.
struct Exit {
  bool after_barrier = false;          ///< not before the block's first barrier
  std::uintptr_t last_access = 0;      ///< what it did since its warp met last; 0: nothing
  AccessKind kind = AccessKind::load;  ///< ... and how
};

struct CheckedBlock {
  std::uint64_t linear = 0;  ///< its number in the grid
  unsigned rank = 0;         ///< in its cluster
  std::uint32_t first = 1;   ///< its segments begin here
  std::uint32_t since = 1;   ///< ... after its newest barrier
  bool has_met = false;      ///< at a barrier, at least once
  bool has_left = false;     ///< another one was on the stage since
  std::uint64_t launch = 0;  ///< what `shared` remembers is of this launch

  Shadow shared;
  std::vector<WarpOrder> warps;
  FenceOrder::OfBlock fences;
  AsyncReads async_reads;
  std::vector<ProxyFences> proxy_fences;  ///< [thread]
  std::vector<Exit> exits;                ///< [thread]
  std::shared_ptr<CheckedCluster> cluster;

  bool is_alone() const { return cluster->blocks.size() == 1; }
};

}  // namespace emu
