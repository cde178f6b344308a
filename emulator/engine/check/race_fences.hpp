/// @file
/// Happens-before relations through fences: an access before a fence, an atomic or volatile write
/// behind that fence, another thread's read of that word, a fence behind the read.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/race_clock.hpp"

namespace emu {

enum class FenceScope : std::uint8_t { block, device };

class FenceOrder {
 public:
  explicit FenceOrder(const CheckContext& context) : context_(context) {}

 private:
  struct Meeting;
  /// What a thread has acquired: the first `releases` releases to a word.
  struct Knowledge {
    const Meeting* meeting;
    std::size_t releases;
    // Scope of the fence behind the read; at block scope, only releases of the same block count.
    FenceScope scope;
  };
  using AllKnowledge = std::vector<Knowledge>;
  /// The accesses that happen before a fence.
  struct Release {
    std::size_t number = 0;  // number among the releases to the word
    std::uint64_t block = 0;
    unsigned warp = 0, lane = 0;
    FenceScope scope = FenceScope::device;
    std::uint32_t block_since = 0;
    std::uint32_t upto = 0;                          // earlier segments of the thread itself
    std::array<std::uint32_t, kWarpSize> of_lane{};  // earlier segments of each lane of its warp
    std::shared_ptr<const Clock> clock;              // accesses of other threads; null: none
  };
  /// A word through which threads synchronise.
  struct Meeting {
    std::size_t releases = 0;
    std::unordered_map<std::uint64_t, std::vector<Release>> of_cluster;  // by number of the cluster
    AllKnowledge known;  // knowledge of the threads that released to this word
  };
  struct Thread {
    std::unique_ptr<Release> fence;      // the newest fence
    AllKnowledge read_but_not_acquired;  // until a fence follows
    AllKnowledge known;
  };
  using Meetings = std::unordered_map<std::uintptr_t, Meeting*>;  // by address

 public:
  /// The state of a block: what its threads know, and the words in its shared memory through which
  /// threads synchronise.
  struct OfBlock {
    bool is_used = false;
    std::vector<Thread> threads;
    AllKnowledge known;                // knowledge that all its threads have
    std::unique_ptr<Release> release;  // the fences before the newest block barrier, combined
    Meetings meetings;
    std::unordered_map<std::uintptr_t, AllKnowledge> mbarriers;  // by address
  };

  struct OfCluster {
    AllKnowledge arrived;  // knowledge of the threads that have arrived at the cluster's barrier
  };

  void begin_launch();
  void begin_block(OfBlock& block, std::size_t threads) const;

  void block_barrier(OfBlock& block);
  void warp_barrier(OfBlock& block, unsigned warp, std::uint32_t lanes) const;

  /// Records a fence of a thread. Segments of its warp's lanes before `of_lane`, and of the cluster
  /// before `clock`, happen before it.
  void fence(unsigned thread, FenceScope scope, const std::array<std::uint32_t, kWarpSize>& of_lane,
             const Clock& clock);
  /// Returns whether an atomic or volatile access to the word can order anything.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const;
  /// Records an atomic or volatile access, just before it is made.
  void synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes);

  // Waiting for an mbarrier's phase acquires what the arriving threads knew.
  void init_mbarrier(SharedAddress barrier) const;
  void arrive(unsigned thread, SharedAddress barrier) const;
  void waited(unsigned thread, SharedAddress barrier) const;
  void arrive_at_cluster(unsigned thread) const;
  void waited_for_cluster(unsigned thread) const;

  /// Returns whether the record's access happens before what `thread` does now.
  bool covers(unsigned thread, AccessRecord record, unsigned record_lane) const;

 private:
  static void learn(AllKnowledge& to, const AllKnowledge& from);
  static void forget(OfBlock& block);
  void release_block(OfBlock& block);
  Meeting* find_meeting(std::uintptr_t address) const;
  Meeting& meeting_at(std::uintptr_t address);
  void add_release(Meeting& meeting, const Release& release) const;
  bool releases_before(const Knowledge& known, AccessRecord record, unsigned record_lane) const;
  bool covered(const AllKnowledge& known, AccessRecord record, unsigned record_lane,
               std::vector<const Meeting*>& visited) const;

  const CheckContext& context_;
  bool any_fence_ = false;  // some thread of this launch has made a fence
  Meetings meetings_;       // words in global memory
  // All words of the launch, which are kept because knowledge of a word may outlive the block in
  // whose memory it is.
  std::deque<Meeting> all_meetings_;
};

}  // namespace emu
