/// @file
/// What is before what, from barriers, fences and mbarriers, not from the order in which things
/// happened to run.
///
/// Time is counted in *segments*, the phases of warps. Whether an access is before the present one
/// is seen from its segment:
///
/// - the same thread's is;
/// - one of the same block is if a `__syncthreads` came after it, that is, its segment is older
///   than `block_since`;
/// - one of the same warp is if a `__syncwarp` of both lanes came after it;
/// - one of any thread is if it came before a fence, the fence before an atomic or volatile write,
///   and the present thread has read that place since, atomically or as volatile, and then made a
///   fence of its own: an atomic operation alone orders nothing (race_fences.hpp);
/// - one of the same block is if its thread arrived at an mbarrier afterwards, in a phase that the
///   present thread has waited for (race_mbarriers.hpp);
/// - one of the same cluster is if its thread arrived at the cluster's barrier afterwards, and the
///   present thread has waited there;
/// - one of any thread is if the grid has met since;
/// - an asynchronous copy's is if the present thread has waited for the phase in which the copy
///   arrived, and not before: its own thread is like any other.
#pragma once

#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/checked_block.hpp"

namespace emu {

class RaceOrder {
 public:
  explicit RaceOrder(CheckContext& context) : context_(context), fences_(context) {}

  void begin_launch() { fences_.begin_launch(); }
  /// The block on the stage begins, as the first of its cluster or not.
  void begin_block(bool is_first);

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive);
  /// Barrier `id` for some threads of the block ends: [warp], a bit for each lane that waits there.
  /// @param is_first  nobody has arrived without waiting
  void barrier_of_some(const std::vector<std::uint32_t>& lanes, unsigned id, bool is_first);
  /// A thread arrives there and does not wait.
  void arrive_at_barrier(unsigned thread, unsigned id, bool is_first);
  /// A lane arrives at the barrier of its cluster, all have, and a lane has waited for that.
  void arrive_at_cluster(unsigned thread);
  /// @param all_wait  nobody does anything between its arrival and its wait
  void end_cluster_phase(bool all_wait, const std::vector<ThreadPlace>& exited);
  void waited_for_cluster(unsigned thread);
  /// All blocks have met, and the one on the stage goes on.
  void passed_grid_barrier();

  /// A lane's fence; its earlier accesses are in earlier segments.
  void fence(unsigned thread, FenceScope scope);
  /// Whether an atomic or volatile access there orders anything, so that it must begin a segment.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const {
    return fences_.orders(thread, address, writes);
  }
  /// Such an access, about to be made.
  void synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes) {
    fences_.synchronise(thread, address, reads, writes);
  }

  /// An mbarrier is made anew.
  void init_mbarrier(SharedPlace barrier);
  /// A lane arrives; its earlier accesses are in earlier segments.
  void arrive(unsigned thread, SharedPlace barrier);
  /// All have arrived, and the copies that the phase waits for.
  void end_phase_of(SharedPlace barrier, unsigned parity) {
    order_of(barrier).end_phase(key_of(barrier), parity);
  }
  /// A lane has seen that the newest phase of this parity is over.
  void waited(unsigned thread, SharedPlace barrier, unsigned parity);
  /// The barrier's oldest copy is made.
  void made_copy(SharedPlace barrier) { order_of(barrier).made_copy(key_of(barrier)); }

  /// A lane makes fence.proxy.async; its earlier accesses are in earlier segments.
  void fence_proxy(unsigned thread);

 protected:
  /// Whether any of these lanes of the warp that runs knows that the record's access is over.
  bool any_before(AccessRecord record, std::uint32_t lanes) const;
  /// Whether what the record's thread wrote came before a fence.proxy.async that these lanes of the
  /// warp that runs know of.
  bool is_fenced(AccessRecord record, std::uint32_t lanes) const;
  /// Whether the record's access is before what `lane` of the warp that runs does now.
  bool before(AccessRecord record, unsigned record_lane, unsigned lane) const;
  bool is_mine(AccessRecord record, unsigned lane) const {
    return context_.is_own(record.segment()) && record.warp() == context_.warp &&
           record.lane() == lane && !is_copy(record);
  }
  bool is_copy(AccessRecord record) const { return order().copy_of(record) != nullptr; }
  MbarrierOrder& order() const { return context_.now->cluster->order; }
  static MbarrierOrder& order_of(SharedPlace barrier) { return barrier.block->cluster->order; }
  static MbarrierOrder::Place key_of(SharedPlace barrier) {
    return {barrier.block->rank, barrier.address};
  }

  CheckContext& context_;
  FenceOrder fences_;

 private:
  using OfLanes = WarpOrder::OfLanes;

  ThreadPlace place_of_record(AccessRecord record) const;
  CheckedBlock* block_of(AccessRecord record) const;
  ThreadPlace place_of(unsigned thread) const { return {context_.now->rank, thread}; }
  std::uint32_t since(unsigned warp, unsigned lane, unsigned other) const;
  OfLanes since_of_lanes(unsigned thread) const;
  MbarrierOrder::Arrival arrival_of(unsigned thread) const {
    return {since_of_lanes(thread), context_.now->since};
  }
};

}  // namespace emu
