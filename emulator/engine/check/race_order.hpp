/// @file
/// The happens-before relation: follows from barriers, fences and mbarriers, not from the order in
/// which lanes happen to run.
///
/// Logical time is counted in *segments*: one for each phase of a warp, more where a thread
/// synchronises within it. Whether an earlier access happens before the present one follows from
/// its segment:
///
/// - the same thread: always;
/// - the same block: if a `__syncthreads` came after it, that is, if its segment is older than the
///   block's `since`;
/// - the same warp: if a `__syncwarp` of both lanes came after it;
/// - any thread: if it precedes a fence, the fence an atomic or volatile write, and the present
///   thread has read that word since, atomically or as volatile, and then made a fence. An atomic
///   operation alone orders nothing (race_fences.hpp);
/// - the same block or cluster: if its thread arrived at an mbarrier afterwards, in a phase that
///   the present thread has waited for (race_mbarriers.hpp);
/// - the same cluster: if its thread arrived at the cluster's barrier afterwards, and the present
///   thread has waited there;
/// - any thread: if the grid has met since;
/// - an asynchronous copy: if the present thread has waited for the phase in which the copy
///   arrives. The thread that issued the copy is no exception.
#pragma once

#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/checked_block.hpp"

namespace emu {

class RaceOrder {
 public:
  explicit RaceOrder(CheckContext& context) : context_(context), fences_(context) {}

  void begin_launch() { fences_.begin_launch(); }
  /// Called when the block on the stage begins; `is_first`: as the first one of its cluster.
  void begin_block(bool is_first);

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive);
  /// Called when a named barrier for some threads of the block completes.
  /// @param lanes [warp], mask of the lanes that wait there
  /// @param is_first no thread has arrived without waiting
  void barrier_of_some(const std::vector<std::uint32_t>& lanes, unsigned id, bool is_first);
  /// Called when a thread arrives at a named barrier and does not wait.
  void arrive_at_barrier(unsigned thread, unsigned id, bool is_first);
  /// Called when a lane arrives at the cluster's barrier, when all have arrived, and when a lane
  /// has waited.
  void arrive_at_cluster(unsigned thread);
  /// @param all_wait no thread does anything between its arrival and its wait
  void end_cluster_phase(bool all_wait, const std::vector<ClusterThread>& exited);
  void waited_for_cluster(unsigned thread);
  /// Called when all blocks have met at the grid's barrier, and the one on the stage goes on.
  void passed_grid_barrier();

  /// Records a fence. The lane's earlier accesses are in earlier segments.
  void fence(unsigned thread, FenceScope scope);
  /// Returns whether an atomic or volatile access to the word can order anything. If so, it must
  /// begin a segment.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const {
    return fences_.orders(thread, address, writes);
  }
  /// Records an atomic or volatile access, just before it is made.
  void synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes) {
    fences_.synchronise(thread, address, reads, writes);
  }

  /// Records the initialisation of an mbarrier.
  void init_mbarrier(SharedAddress barrier);
  /// Records an arrival at an mbarrier. The lane's earlier accesses are in earlier segments.
  void arrive(unsigned thread, SharedAddress barrier);
  /// Records that a phase is complete: all threads and all copies it expects have arrived.
  void end_phase_of(SharedAddress barrier, unsigned parity) {
    order_of(barrier).end_phase(key_of(barrier), parity);
  }
  /// Records that a lane has seen the completion of the newest phase with this parity.
  void waited(unsigned thread, SharedAddress barrier, unsigned parity);
  /// Records that the oldest copy of the mbarrier is made.
  void made_copy(SharedAddress barrier) { order_of(barrier).made_copy(key_of(barrier)); }

  /// Records a fence.proxy.async. The lane's earlier accesses are in earlier segments.
  void fence_proxy(unsigned thread);

 protected:
  /// Returns whether the record's access happens before what any of `lanes` of the running warp
  /// does now.
  bool any_before(AccessRecord record, std::uint32_t lanes) const;
  /// Returns whether the record's store happens before a fence.proxy.async, and that fence before
  /// what one of `lanes` of the running warp does now.
  bool is_fenced(AccessRecord record, std::uint32_t lanes) const;
  /// Returns whether the record's access happens before what `lane` of the running warp does now.
  bool before(AccessRecord record, unsigned record_lane, unsigned lane) const;
  bool is_mine(AccessRecord record, unsigned lane) const {
    return context_.is_own(record.segment()) && record.warp() == context_.warp &&
           record.lane() == lane && !is_copy(record);
  }
  bool is_copy(AccessRecord record) const { return order().copy_of(record) != nullptr; }
  MbarrierOrder& order() const { return context_.now->cluster->order; }
  static MbarrierOrder& order_of(SharedAddress barrier) { return barrier.block->cluster->order; }
  static MbarrierOrder::Key key_of(SharedAddress barrier) {
    return {barrier.block->rank, barrier.address};
  }

  CheckContext& context_;
  FenceOrder fences_;

 private:
  using OfLanes = WarpOrder::OfLanes;

  ClusterThread thread_of_record(AccessRecord record) const;
  CheckedBlock* block_of(AccessRecord record) const;
  ClusterThread cluster_thread(unsigned thread) const { return {context_.now->rank, thread}; }
  std::uint32_t since(unsigned warp, unsigned lane, unsigned other) const;
  OfLanes since_of_lanes(unsigned thread) const;
  MbarrierOrder::Arrival arrival_of(unsigned thread) const {
    return {since_of_lanes(thread), context_.now->since};
  }
};

}  // namespace emu
