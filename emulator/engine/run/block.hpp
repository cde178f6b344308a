/// @file
/// A block: what can be suspended. Its warps, whose turn it is, what is on its way to its shared
/// memory, and, while another block is on the worker's stage, what its stacks and its shared
/// memory hold.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/count/spaces.hpp"
#include "engine/engine.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/run/parking.hpp"
#include "engine/run/warp.hpp"

namespace emu {

class Order;
class Worker;
struct CheckedBlock;
struct Cluster;

/// The stores of a thread's asynchronous copies, in batches.
struct LateStores {
  static constexpr unsigned kMostBytes = 16;
  struct Store {
    char* target;
    unsigned bytes;
    std::uint64_t batch;
    const void* call_site;
    std::array<char, kMostBytes> value;
  };
  std::vector<Store> waiting;
  std::uint64_t closed = 0;  ///< batches
};

/// A thread's bulk copies from shared to global memory, in groups.
struct BulkStores {
  struct Store {
    BulkCopy copy;  ///< whose target is where it reads
    std::uint64_t group;
  };
  std::vector<Store> waiting;
  std::uint64_t committed = 0;  ///< groups
};

/// In place of a thread: nobody of the block is left, or nobody can go on without others.
constexpr unsigned kNobody = ~0u, kAway = ~0u - 1;

constexpr unsigned kBarriers = 16;  ///< of a block

/// How a barrier of the block ended.
struct BarrierResult {
  int predicates = 0;  ///< threads whose predicate was not zero
  int participants = 0;
};

/// Threads that have come to a barrier and have not waited.
struct BarrierArrivals {
  unsigned count = 0;
  unsigned threads = 0;  ///< that the barrier is for
};

struct Block {
  /// Begins as a block of `launch`.
  void begin(const Launch& launch, std::uint64_t index, Cluster* in_cluster);

  /// The thread whose turn it is, kNobody or kAway.
  unsigned next_thread(Worker& worker);
  /// These lanes of a warp may run, each once, from `first` to the last and from 0 on.
  void begin_phase(Worker& worker, unsigned warp, std::uint32_t lanes, unsigned first);
  void end_phase(Worker& worker);

  Lane& lane(unsigned thread) { return warps[thread / kWarpSize].lanes[thread % kWarpSize]; }
  const Lane& lane(unsigned thread) const {
    return warps[thread / kWarpSize].lanes[thread % kWarpSize];
  }
  std::uint32_t waiting_anywhere(Meeting meeting) const;
  bool any_alive() const;
  /// Numbers that look random, and follow from the launch's seed and the block alone.
  std::uint64_t random() { return scrambled(random_state += kRandomStep); }
  std::uint64_t order_of(std::uint64_t salt) const;

  const Launch* launch = nullptr;
  std::uint64_t linear = 0;  ///< its number in the grid
  uint3 index{};             ///< blockIdx, which device code could overwrite, is only a copy
  unsigned threads = 0;
  std::vector<Warp> warps;
  Cluster* cluster = nullptr;  ///< null without clusters, until Worker::cluster() makes one
  unsigned rank = 0;           ///< in its cluster

  std::array<BarrierResult, kBarriers> barriers;    ///< [id], of the newest phase
  std::array<BarrierArrivals, kBarriers> arrivals;  ///< [id], at the running phase

  std::vector<MbarrierWait> mbarrier_waits;  ///< [thread]
  std::vector<BulkCopy> copies;              ///< not made yet, in the order of their requests
  unsigned time_outs = 0;                    ///< since anything changed at an mbarrier
  std::vector<LateStores> late_stores;       ///< [thread]; empty if the block makes none
  std::vector<BulkStores> bulk_stores;       ///< [thread]; empty if the block makes none
  bool at_grid_barrier = false;              ///< has arrived there
  std::uint64_t grid_phase = 0;              ///< when it did

  // Whose turn it is.
  bool in_phase = false;
  unsigned phase_warp = 0, lane_turn = 0, first_lane = 0;
  std::uint32_t phase_lanes = 0;
  std::uint64_t phases = 0;
  bool progress = false;   ///< since the round began
  bool gives_way = false;  ///< another block should have a turn when the round is over
  std::uint64_t idle_rounds = 0, idle_since_ns = 0;
  std::uint64_t rounds_alone = 0;  ///< without a meeting, an end or another block's turn
  std::uint64_t random_state = 0;
  std::unique_ptr<Order> turns;

  // While it is not on the stage.
  bool is_spinning = false;               ///< it can go on, but does nothing but look at memory
  bool may_go_on = true;                  ///< it is worth a try
  bool help_may_come = true;              ///< from other blocks; else who waits for them is stuck
  CheckedBlock* checked = nullptr;        ///< of a checked launch
  std::vector<RequestsBySpace> requests;  ///< [warp], so far
  Parked parked;

 private:
  bool finish_round(Worker& worker, unsigned* result);
  bool has_spun(Worker& worker, unsigned* result);
};

}  // namespace emu
