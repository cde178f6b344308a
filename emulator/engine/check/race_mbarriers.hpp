/// @file
/// What mbarriers put in order: what was before an arrival comes before what is after a wait for
/// that phase. Bulk copies arrive, too.
///
/// In the log of time a copy happens when it is asked for: what came before must be over by then
/// for the thread that asks, and nobody may touch the bytes until it knows that they have come.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/race_clock.hpp"

namespace emu {

class MbarrierOrder {
 public:
  struct Copy {
    std::uint32_t segment = 0;  ///< nothing else has it
    unsigned mbarrier = 0;
    std::uint32_t number = 0;  ///< of the mbarrier's
    std::uintptr_t begin = 0;
    unsigned bytes = 0;
  };

  explicit MbarrierOrder(CheckContext& context) : context_(context) {}

  void begin_block(std::size_t threads);

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes);

  /// An mbarrier is made anew.
  void init(std::uintptr_t barrier);
  /// A thread arrives: of its warp's lanes it knows the segments before `of_lane`.
  void arrive(unsigned thread, std::uintptr_t barrier,
              const std::array<std::uint32_t, kWarpSize>& of_lane);
  /// All have arrived, and the copies that the phase waits for.
  void end_phase(std::uintptr_t barrier, unsigned parity);
  /// A thread has seen that the newest phase of this parity is over.
  void waited(unsigned thread, std::uintptr_t barrier, unsigned parity);

  /// A copy is asked for, which will write these bytes. Its write is to be recorded in between.
  void begin_copy(const WarpAccess& write, std::uintptr_t barrier);
  void end_copy();
  /// The barrier's oldest copy is made.
  void made_copy(std::uintptr_t barrier);

  /// What a thread knows through mbarriers.
  const Clock& clock(unsigned thread) const { return clocks_[thread]; }
  /// The copy whose write a record is of; null: a thread's.
  const Copy* copy_of(AccessRecord record) const {
    const std::size_t index = record.segment() - context_.block_first;
    return index < copy_of_segment_.size() && copy_of_segment_[index] != 0
               ? &copies_[copy_of_segment_[index] - 1]
               : nullptr;
  }
  /// Whether a thread has waited for the copy.
  bool knows(unsigned thread, const Copy& copy) const {
    return knows(clocks_[thread], copy) || knows(block_clock_, copy);
  }

 private:
  struct Mbarrier {
    unsigned number = 0;
    std::uint32_t requested = 0, made = 0;  // copies
    Clock arrived;                          // what all who arrived so far knew
    std::array<Clock, 2> over;              // [parity], the same when that phase ended
  };

  bool knows(const Clock& clock, const Copy& copy) const {
    return copy.number <= clock[clocks_.size() + copy.mbarrier];
  }
  void stamp_again(Copy& copy);

  CheckContext& context_;
  std::vector<Clock> clocks_;                               // [thread]
  Clock block_clock_;                                       // of all at the newest block barrier
  std::unordered_map<std::uintptr_t, Mbarrier> mbarriers_;  // of the block, by address
  unsigned mbarrier_count_ = 0;                             // made so far
  std::vector<Copy> copies_;
  std::vector<std::uint32_t> copy_of_segment_;  // [segment - block_first], 1 + which; 0: none
};

}  // namespace emu
