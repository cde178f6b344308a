/// @file
/// What mbarriers put in order: what was before an arrival comes before what is after a wait for
/// that phase. Bulk copies arrive, too. The barrier of a cluster is one more.
///
/// In the log of time a copy happens when it is asked for: what came before must be over by then
/// for the thread that asks, and nobody may touch the bytes until it knows that they have come.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/race_clock.hpp"

namespace emu {

/// A thread of a cluster.
struct ThreadPlace {
  unsigned rank = 0;  ///< of its block
  unsigned thread = 0;
};

/// Of a cluster, or of a block that has none.
class MbarrierOrder {
 public:
  struct Copy {
    std::uint32_t segment = 0;  ///< nothing else has it
    unsigned mbarrier = 0;
    std::uint32_t number = 0;       ///< of the mbarrier's
    CheckedBlock* block = nullptr;  ///< whose shared memory it writes
    std::uintptr_t begin = 0;
    unsigned bytes = 0;
  };
  /// What a thread knows when it arrives, but for what clocks say.
  struct Arrival {
    std::array<std::uint32_t, kWarpSize> of_lane{};  ///< of its warp's lanes, segments before
    std::uint32_t of_block = 0;                      ///< of its block's threads
  };
  /// An mbarrier: where in whose shared memory it is.
  using Place = std::pair<unsigned, std::uintptr_t>;

  void begin(CheckContext& context);

  void block_barrier(const CheckedBlock& block);
  void warp_barrier(unsigned rank, unsigned warp, std::uint32_t lanes);

  /// An mbarrier is made anew.
  void init(Place barrier);
  void arrive(ThreadPlace thread, Place barrier, const Arrival& arrival);
  /// All have arrived, and the copies that the phase waits for.
  void end_phase(Place barrier, unsigned parity);
  /// A thread has seen that the newest phase of this parity is over.
  void waited(ThreadPlace thread, Place barrier, unsigned parity);

  /// The barrier of the cluster, whose phases are numbered from 0.
  void arrive_at_cluster(ThreadPlace thread, const Arrival& arrival);
  void end_cluster_phase(const std::vector<ThreadPlace>& exited);
  void waited_for_cluster(ThreadPlace thread);

  /// A copy is asked for, which will write these bytes. Its write is to be recorded in between.
  void begin_copy(const WarpAccess& write, CheckedBlock& target, Place barrier);
  void end_copy();
  /// The barrier's oldest copy is made.
  void made_copy(Place barrier);
  /// What was on its way to a block that has ended.
  void forget_copies(const CheckedBlock& block);
  /// What is on its way to this block is not before anything yet, though everything else is.
  void keep_copies_apart(const CheckedBlock& block);

  /// The copy whose write a record is of; null: a thread's.
  const Copy* copy_of(AccessRecord record) const {
    if (copies_.empty()) return nullptr;
    const std::uint32_t since_first = record.segment() - first_copy_segment_;  // may wrap
    if (since_first >= copy_of_segment_.size()) return nullptr;
    const std::uint32_t copy = copy_of_segment_[since_first];
    return copy == kNoCopy ? nullptr : &copies_[copy];
  }
  /// Whether a thread has waited for the copy.
  bool knows(ThreadPlace thread, const Copy& copy) const;
  /// Whether a thread knows that what another one did in a segment is over.
  bool knows(ThreadPlace thread, ThreadPlace other, std::uint32_t segment) const;
  /// Whether any thread of a block does.
  bool any_knows(unsigned rank, ThreadPlace other, std::uint32_t segment) const;
  /// What a thread knows through mbarriers.
  const Clock& clock(ThreadPlace thread) const { return clocks_[index(thread)]; }
  /// What all threads of a block knew so at its newest barrier.
  const Clock& block_clock(unsigned rank) const { return block_clocks_[rank]; }

 private:
  struct Mbarrier {
    unsigned number = 0;
    std::uint32_t requested = 0, made = 0;  // copies
    Clock arrived;                          // what all who arrived so far knew
    std::array<Clock, 2> over;              // [parity], the same when that phase ended
  };

  std::size_t index(ThreadPlace thread) const {
    return std::size_t{thread.rank} * context_->threads_of_block + thread.thread;
  }
  bool knows(const Clock& clock, const Copy& copy) const {
    return copy.number <= clock[context_->clock_of_copies(copy.mbarrier)];
  }
  bool knows(const Clock& clock, ThreadPlace other, std::uint32_t segment) const {
    return segment < clock[other.rank] ||
           segment < clock[context_->clock_of_thread(other.rank, other.thread)];
  }
  void join(Clock& arrived, ThreadPlace thread, const Arrival& arrival);
  void stamp_again(Copy& copy);
  /// Notes that the records of the present segment are of a copy.
  void stamp(std::uint32_t copy);

  static constexpr std::uint32_t kNoCopy = ~std::uint32_t{0};

  CheckContext* context_ = nullptr;
  bool is_used_ = false;             // anybody has arrived anywhere
  std::vector<Clock> clocks_;        // [thread of the cluster]
  std::vector<Clock> block_clocks_;  // [rank], of all its threads at its newest barrier
  std::map<Place, Mbarrier> mbarriers_;
  Mbarrier of_cluster_;
  unsigned mbarrier_count_ = 0;  // made so far
  std::vector<Copy> copies_;
  std::uint32_t first_copy_segment_ = 0;
  std::vector<std::uint32_t> copy_of_segment_;  // [segment since that one], or kNoCopy
};

}  // namespace emu
