/// @file
/// Happens-before relations through mbarriers: what precedes an arrival happens before what follows
/// a wait for that phase. Bulk copies arrive, too. The barrier of a cluster is treated as one more
/// mbarrier.
///
/// In logical time, a copy's writes take place when it is issued. Other accesses to the bytes must
/// happen before that, or after a wait for the copy.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/race_clock.hpp"

namespace emu {

/// A thread of a cluster.
struct ClusterThread {
  unsigned rank = 0;  ///< rank of its block
  unsigned thread = 0;
};

/// The mbarriers of a cluster, or of a block without one.
class MbarrierOrder {
 public:
  struct Copy {
    std::uint32_t segment = 0;  ///< no other access has this segment
    unsigned mbarrier = 0;
    std::uint32_t number = 0;       ///< number among the mbarrier's copies
    CheckedBlock* block = nullptr;  ///< the block whose shared memory it writes
    std::uintptr_t begin = 0;
    unsigned bytes = 0;
  };
  /// What an arriving thread knows, beside its clock.
  struct Arrival {
    /// [lane of its warp], earlier segments happen before the arrival
    std::array<std::uint32_t, kWarpSize> of_lane{};
    std::uint32_t of_block = 0;  ///< earlier segments of its block happen before the arrival
  };
  /// An mbarrier: the rank of its block, and its address in the shared memory of that block.
  using Key = std::pair<unsigned, std::uintptr_t>;

  void begin(CheckContext& context);

  void block_barrier(const CheckedBlock& block);
  void warp_barrier(unsigned rank, unsigned warp, std::uint32_t lanes);

  /// Records the initialisation of an mbarrier.
  void init(Key barrier);
  void arrive(ClusterThread thread, Key barrier, const Arrival& arrival);
  /// Records that a phase is complete: all threads and all copies it expects have arrived.
  void end_phase(Key barrier, unsigned parity);
  /// Records that a thread has seen the completion of the newest phase with this parity.
  void waited(ClusterThread thread, Key barrier, unsigned parity);

  /// Records events at the barrier of the cluster, whose phases are numbered from 0.
  void arrive_at_cluster(ClusterThread thread, const Arrival& arrival);
  void end_cluster_phase(const std::vector<ClusterThread>& exited);
  void waited_for_cluster(ClusterThread thread);

  /// Begins the record of a copy that is issued. The writes recorded until end_copy() are the
  /// copy's.
  void begin_copy(const WarpAccess& write, CheckedBlock& target, Key barrier);
  void end_copy();
  /// Records that the oldest copy of the mbarrier is made.
  void made_copy(Key barrier);
  /// Drops the copies into a block that has ended.
  void forget_copies(const CheckedBlock& block);
  /// Gives pending copies into the block a new segment after a barrier that orders all earlier
  /// ones: the copies are not ordered by it.
  void restamp_pending_copies(const CheckedBlock& block);

  /// Returns the copy that has made the record's write; null if a thread has.
  const Copy* copy_of(AccessRecord record) const {
    if (copies_.empty()) return nullptr;
    const std::uint32_t since_first = record.segment() - first_copy_segment_;  // may wrap
    if (since_first >= copy_of_segment_.size()) return nullptr;
    const std::uint32_t copy = copy_of_segment_[since_first];
    return copy == kNoCopy ? nullptr : &copies_[copy];
  }
  /// Returns whether the thread has waited for the copy.
  bool knows(ClusterThread thread, const Copy& copy) const;
  /// Returns whether what `other` did in the segment happens before what `thread` does now.
  bool knows(ClusterThread thread, ClusterThread other, std::uint32_t segment) const;
  /// Returns whether it happens before what any thread of the block does now.
  bool any_knows(unsigned rank, ClusterThread other, std::uint32_t segment) const;
  /// Returns what the thread knows through mbarriers.
  const Clock& clock(ClusterThread thread) const { return clocks_[index(thread)]; }
  /// Returns what all threads of the block knew through mbarriers at its newest barrier.
  const Clock& block_clock(unsigned rank) const { return block_clocks_[rank]; }

 private:
  struct Mbarrier {
    unsigned number = 0;
    std::uint32_t requested = 0, made = 0;  // number of copies
    Clock arrived;              // joined clocks of those that have arrived in this phase
    std::array<Clock, 2> over;  // [parity], `arrived` when the newest phase of that parity ended
  };

  std::size_t index(ClusterThread thread) const {
    return std::size_t{thread.rank} * context_->threads_of_block + thread.thread;
  }
  bool knows(const Clock& clock, const Copy& copy) const {
    return copy.number <= clock[context_->clock_of_copies(copy.mbarrier)];
  }
  bool knows(const Clock& clock, ClusterThread other, std::uint32_t segment) const {
    return segment < clock[other.rank] ||
           segment < clock[context_->clock_of_thread(other.rank, other.thread)];
  }
  void join(Clock& arrived, ClusterThread thread, const Arrival& arrival);
  void stamp_again(Copy& copy);
  /// Marks the current segment as that of a copy.
  void stamp(std::uint32_t copy);

  static constexpr std::uint32_t kNoCopy = ~std::uint32_t{0};

  CheckContext* context_ = nullptr;
  bool is_used_ = false;             // some thread has used an mbarrier
  std::vector<Clock> clocks_;        // [thread of the cluster]
  std::vector<Clock> block_clocks_;  // [rank], what all threads knew at the block's newest barrier
  std::map<Key, Mbarrier> mbarriers_;
  Mbarrier of_cluster_;
  unsigned mbarrier_count_ = 0;  // number of mbarriers initialised so far
  std::vector<Copy> copies_;
  std::uint32_t first_copy_segment_ = 0;
  // [segment - first_copy_segment_], index in copies_ or kNoCopy
  std::vector<std::uint32_t> copy_of_segment_;
};

}  // namespace emu
