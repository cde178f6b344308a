/// @file
/// The state that the checks keep for a block and for its cluster. It is parked with the block.
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

/// Happens-before relations between the lanes of a warp.
struct WarpOrder {
  using OfLanes = std::array<std::uint32_t, kWarpSize>;

  std::uint32_t since = 0;  ///< earlier segments of the warp happen before all its lanes
  /// [lane][other]: the same for each pair of lanes, after some of them have synchronised without
  /// the others; else null
  std::unique_ptr<std::array<OfLanes, kWarpSize>> pairs;
};

/// The blocks of a cluster, which can access each other's shared memory. A block without a cluster
/// has a CheckedCluster of its own.
struct CheckedCluster {
  std::uint64_t number = 0;
  std::vector<CheckedBlock*> blocks;  ///< [rank]; null: not begun, or ended
  std::uint32_t since = 1;  ///< earlier segments of its blocks happen before all its threads
  /// No thread did anything between arriving at the newest cluster barrier and waiting for it, so
  /// `since` says it all
  bool all_waited = false;
  MbarrierOrder order;
  FenceOrder::OfCluster fences;
};

/// What is known of a thread that has returned.
struct Exit {
  bool after_barrier = false;          ///< it has returned after the block's first barrier
  std::uintptr_t last_access = 0;      ///< its last access since its warp met; 0: none
  AccessKind kind = AccessKind::load;  ///< kind of that access
};

struct CheckedBlock {
  std::uint64_t linear = 0;  ///< its number in the grid
  unsigned rank = 0;         ///< its number in the cluster
  std::uint32_t first = 1;   ///< its first segment
  std::uint32_t since = 1;   ///< first segment after its newest barrier
  bool has_met = false;      ///< it has completed a barrier
  bool has_left = false;     ///< another block was on the stage meanwhile
  std::uint64_t launch = 0;  ///< the records in `shared` are of this launch

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
