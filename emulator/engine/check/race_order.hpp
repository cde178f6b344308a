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
/// - an asynchronous copy's is if the present thread has waited for the phase in which the copy
///   arrived, and not before: its own thread is like any other.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/race_fences.hpp"
#include "engine/check/race_mbarriers.hpp"

namespace emu {

class RaceOrder {
 public:
  explicit RaceOrder(CheckContext& context)
      : context_(context), fences_(context), mbarriers_(context) {}

  void begin_launch() { fences_.begin_launch(); }
  void begin_block(unsigned warps);

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive);
  /// A barrier of some threads of the block: [warp], a bit for each lane.
  void barrier_of_some(const std::vector<std::uint32_t>& lanes);

  /// A lane's fence; its earlier accesses are in earlier segments.
  void fence(unsigned thread, FenceScope scope);
  /// Whether an atomic or volatile access there orders anything, so that it must begin a segment.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const {
    return fences_.orders(thread, address, writes);
  }
  /// Such an access, about to be made.
  void synchronise(unsigned thread, std::uintptr_t address, bool is_shared, bool reads,
                   bool writes) {
    fences_.synchronise(thread, address, is_shared, reads, writes);
  }

  /// An mbarrier is made anew.
  void init_mbarrier(std::uintptr_t barrier);
  /// A lane arrives; its earlier accesses are in earlier segments.
  void arrive(unsigned thread, std::uintptr_t barrier);
  /// All have arrived, and the copies that the phase waits for.
  void end_phase_of(std::uintptr_t barrier, unsigned parity) {
    mbarriers_.end_phase(barrier, parity);
  }
  /// A lane has seen that the newest phase of this parity is over.
  void waited(unsigned thread, std::uintptr_t barrier, unsigned parity);
  /// The barrier's oldest copy is made.
  void made_copy(std::uintptr_t barrier) { mbarriers_.made_copy(barrier); }

 protected:
  /// Whether the record's access is before what `lane` of the warp that runs does now.
  bool before(AccessRecord record, unsigned record_lane, unsigned lane) const;
  bool is_mine(AccessRecord record, unsigned lane) const {
    return record.segment() >= context_.block_first && record.warp() == context_.warp &&
           record.lane() == lane && !is_copy(record);
  }
  bool is_copy(AccessRecord record) const { return mbarriers_.copy_of(record) != nullptr; }

  CheckContext& context_;
  FenceOrder fences_;
  MbarrierOrder mbarriers_;

 private:
  using OfLanes = std::array<std::uint32_t, kWarpSize>;
  struct Warp {
    std::uint32_t since = 0;  // segments before are over for all its lanes
    // [lane][other]: the same for a pair, once some lanes synchronised without the others
    std::unique_ptr<std::array<OfLanes, kWarpSize>> pairs;
  };

  std::uint32_t since(unsigned warp, unsigned lane, unsigned other) const;
  OfLanes since_of_lanes(unsigned thread) const;

  std::vector<Warp> warps_;
};

}  // namespace emu
