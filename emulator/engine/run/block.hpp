/// @file
/// A thread block and its state: its warps, the order of their turns, and the copies that have not
/// been made yet. While another block is on the worker's stage, it also holds the contents of its
/// lanes' stacks and of its shared memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/count/spaces.hpp"
#include "engine/count/warp_loads.hpp"
#include "engine/engine.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/run/parking.hpp"
#include "engine/run/warp.hpp"

namespace emu {

class Order;
class Worker;
struct CheckedBlock;
struct Cluster;

/// The stores of one thread's asynchronous copies (cp.async) that have not been made yet, in
/// batches.
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
  std::uint64_t closed = 0;  ///< number of batches closed so far
};

/// One thread's bulk copies from shared to global memory that have not been made yet, in groups.
struct BulkStores {
  struct Store {
    BulkCopy copy;  ///< `copy.target` is the shared memory that it reads
    std::uint64_t group;
  };
  std::vector<Store> waiting;
  std::uint64_t committed = 0;  ///< number of groups committed so far
};

/// What Block::next_thread() returns in place of a thread. kNobody: all threads have ended.
/// kLeavesStage: the block leaves the stage.
constexpr unsigned kNobody = ~0u, kLeavesStage = ~0u - 1;

constexpr unsigned kBarriers = 16;  ///< named barriers of a block

/// What the threads of a completed barrier get.
struct BarrierResult {
  int predicates = 0;  ///< threads whose predicate was not zero
  int participants = 0;
};

/// What the warps of tiles of several warps hand to each other.
struct TileValues {
  static constexpr unsigned kSizes = 6, kWarps = 32;
  using Values = std::array<std::array<std::uint64_t, kWarps>, kSizes>;  ///< [size][warp]

  /// Returns the index of a size: the binary logarithm of `warps`, the warps of a tile.
  static std::size_t index_of_size(unsigned warps) {
    return static_cast<std::size_t>(std::bit_width(warps / 2));
  }

  Values given{};  ///< in the phase that is not complete yet
  Values taken{};  ///< in the newest completed phase
};

/// Threads that have arrived at a barrier with bar.arrive and do not wait.
struct BarrierArrivals {
  unsigned count = 0;
  unsigned threads = 0;  ///< number of threads that the barrier is for
};

struct Block {
  /// Makes this block number `index` of the launch's grid, with all of its threads still to run.
  void begin(const Launch& launch, std::uint64_t index, Cluster* in_cluster);

  /// Returns the thread that runs next, kNobody or kLeavesStage.
  unsigned next_thread(Worker& worker);
  /// Begins a phase of a warp: each of `lanes` runs once, from lane `first` to the last one, then
  /// from lane 0 on.
  void begin_phase(Worker& worker, unsigned warp, std::uint32_t lanes, unsigned first);
  void end_phase(Worker& worker);

  Lane& lane(unsigned thread) { return warps[thread / kWarpSize].lanes[thread % kWarpSize]; }
  const Lane& lane(unsigned thread) const {
    return warps[thread / kWarpSize].lanes[thread % kWarpSize];
  }
  std::uint32_t waiting_anywhere(Meeting meeting) const;
  bool any_alive() const;
  /// Returns the next pseudo-random number; the sequence depends only on the launch's seed and on
  /// the block.
  std::uint64_t random() { return scrambled(random_state += kRandomStep); }
  std::uint64_t order_of(std::uint64_t salt) const;

  const Launch* launch = nullptr;
  std::uint64_t linear = 0;  ///< the block's number in the grid
  uint3 index{};  ///< blockIdx of the block; device code reads a copy, which it could overwrite
  unsigned threads = 0;
  std::vector<Warp> warps;
  /// Null where the launch has no clusters, until Worker::cluster() makes one.
  Cluster* cluster = nullptr;
  unsigned rank = 0;  ///< its number in the cluster

  std::array<BarrierResult, kBarriers> barriers;    ///< [id], the newest completed phase
  std::array<BarrierArrivals, kBarriers> arrivals;  ///< [id], the phase that is not complete yet

  std::unique_ptr<TileValues>
      tiles;  ///< null until threads of the block use tiles of several warps

  std::vector<MbarrierWait> mbarrier_waits;  ///< [thread]
  /// Bulk copies into shared memory that have not been made yet, in the order of the calls.
  std::vector<BulkCopy> copies;
  unsigned time_outs = 0;  ///< waits that ended by a time-out since an mbarrier last changed
  std::vector<LateStores> late_stores;  ///< [thread]; empty if the block makes none
  std::vector<BulkStores> bulk_stores;  ///< [thread]; empty if the block makes none
  bool at_grid_barrier = false;         ///< the block has arrived at the barrier of the grid
  std::uint64_t grid_phase = 0;         ///< the barrier's phase when the block arrived

  // The order of turns.
  bool in_phase = false;
  unsigned phase_warp = 0, lane_turn = 0, first_lane = 0;
  std::uint32_t phase_lanes = 0;
  std::uint64_t phases = 0;
  bool progress = false;   ///< some lane did more than yield since the round began
  bool gives_way = false;  ///< another block should run after this round
  std::uint64_t idle_rounds = 0, idle_since_ns = 0;
  /// Rounds since a meeting, the end of a lane, or another block's turn.
  std::uint64_t rounds_alone = 0;
  std::uint64_t random_state = 0;
  std::unique_ptr<Order> turns;

  // The block's state while it is not on the stage.
  bool is_spinning = false;  ///< it can go on, but only polls memory
  bool may_go_on = true;     ///< it may be put on the stage again
  /// False if no other block can help: lanes that wait for other blocks are stuck.
  bool help_may_come = true;
  CheckedBlock* checked = nullptr;        ///< null if the launch is not checked
  std::vector<RequestsBySpace> requests;  ///< [warp], requests made so far
  std::vector<WarpLoads> loads;           ///< [warp], what they loaded; empty if nothing is counted
  Parked parked;

 private:
  bool finish_round(Worker& worker, unsigned* result);
  bool has_spun(Worker& worker, unsigned* result);
};

}  // namespace emu
