/// @file
/// What fences put in order: before a fence, an atomic or volatile write behind it, another
/// thread's read of that word, and a fence behind the read.
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
  /// What a thread knows to be over: everything that was released at a place, up to a point.
  struct Knowledge {
    const Meeting* meeting;
    std::size_t releases;
    FenceScope scope;  // of the fence behind the read; within a block, only its releases count
  };
  using AllKnowledge = std::vector<Knowledge>;
  /// What was before a fence.
  struct Release {
    std::size_t number = 0;  // of the meeting's
    std::uint64_t block = 0;
    unsigned warp = 0, lane = 0;
    FenceScope scope = FenceScope::device;
    std::uint32_t block_since = 0;
    std::uint32_t upto = 0;                          // the thread's own segments
    std::array<std::uint32_t, kWarpSize> of_lane{};  // its warp's
    std::shared_ptr<const Clock> clock;              // of the others; null: nothing
  };
  /// A word that threads synchronise through.
  struct Meeting {
    std::size_t releases = 0;
    std::unordered_map<std::uint64_t, std::vector<Release>> of_cluster;  // by its number
    AllKnowledge known;                                                  // to any who released here
  };
  struct Thread {
    std::unique_ptr<Release> fence;  // the newest
    AllKnowledge seen;               // read, but good for nothing before a fence
    AllKnowledge known;
  };
  using Meetings = std::unordered_map<std::uintptr_t, Meeting*>;  // by address

 public:
  /// Of a block: what its threads know, and where in its shared memory threads meet.
  struct OfBlock {
    bool is_used = false;
    std::vector<Thread> threads;
    AllKnowledge known;                // to all of them
    std::unique_ptr<Release> release;  // what was before the fences before the newest barrier
    Meetings meetings;
    std::unordered_map<std::uintptr_t, AllKnowledge> mbarriers;  // by address
  };

  struct OfCluster {
    AllKnowledge arrived;  // at its barrier
  };

  void begin_launch();
  void begin_block(OfBlock& block, std::size_t threads) const;

  void block_barrier(OfBlock& block);
  void warp_barrier(OfBlock& block, unsigned warp, std::uint32_t lanes) const;

  /// A thread's fence: of its warp's lanes it knows the segments before `of_lane`, of the cluster
  /// what `clock` says.
  void fence(unsigned thread, FenceScope scope, const std::array<std::uint32_t, kWarpSize>& of_lane,
             const Clock& clock);
  /// Whether an atomic or volatile access there orders anything.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const;
  /// Such an access, about to be made.
  void synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes);

  // Who waits for an mbarrier's phase knows what those knew who have arrived.
  void init_mbarrier(SharedPlace barrier) const;
  void arrive(unsigned thread, SharedPlace barrier) const;
  void waited(unsigned thread, SharedPlace barrier) const;
  void arrive_at_cluster(unsigned thread) const;
  void waited_for_cluster(unsigned thread) const;

  /// Whether the record's access is before whatever `thread` does now.
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
  bool any_fence_ = false;  // in this launch: only then can anything be released
  Meetings meetings_;       // in global memory
  // All of the launch: what somebody knows of one may outlive the block whose memory it is in.
  std::deque<Meeting> all_meetings_;
};

}  // namespace emu
