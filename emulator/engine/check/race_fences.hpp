/// @file
/// What fences put in order: before a fence, an atomic or volatile write behind it, another
/// thread's read of that word, and a fence behind the read.
#pragma once

#include <array>
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

  void begin_launch();
  void begin_block(std::size_t threads);

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes);

  /// A thread's fence: of its warp's lanes it knows the segments before `of_lane`, of the block
  /// what `clock` says.
  void fence(unsigned thread, FenceScope scope, const std::array<std::uint32_t, kWarpSize>& of_lane,
             const Clock& clock);
  /// Whether an atomic or volatile access there orders anything.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const;
  /// Such an access, about to be made.
  void synchronise(unsigned thread, std::uintptr_t address, bool is_shared, bool reads,
                   bool writes);

  // Who waits for an mbarrier's phase knows what those knew who have arrived.
  void init_mbarrier(std::uintptr_t barrier) { mbarriers_.erase(barrier); }
  void arrive(unsigned thread, std::uintptr_t barrier);
  void waited(unsigned thread, std::uintptr_t barrier);

  /// Whether the record's access is before whatever `thread` does now.
  bool covers(unsigned thread, AccessRecord record, unsigned record_lane) const;

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
    std::uint64_t block = 0;
    unsigned warp = 0, lane = 0;
    FenceScope scope = FenceScope::device;
    std::uint32_t block_first = 0, block_since = 0;
    std::uint32_t upto = 0;                          // the thread's own segments
    std::array<std::uint32_t, kWarpSize> of_lane{};  // its warp's
    std::shared_ptr<const Clock> clock;              // of the others; null: nothing
  };
  /// A word that threads synchronise through.
  struct Meeting {
    std::vector<Release> releases;  // by block_first, ascending
    AllKnowledge known;             // to any who released here
  };
  struct Thread {
    std::unique_ptr<Release> fence;  // the newest
    AllKnowledge seen;               // read, but good for nothing before a fence
    AllKnowledge known;
  };
  using Meetings = std::unordered_map<std::uintptr_t, std::unique_ptr<Meeting>>;  // by address

  static void learn(AllKnowledge& to, const AllKnowledge& from);
  void forget_block();
  void release_block();
  bool releases_before(const Knowledge& known, AccessRecord record, unsigned record_lane) const;
  bool covered(const AllKnowledge& known, AccessRecord record, unsigned record_lane,
               std::vector<const Meeting*>& visited) const;

  const CheckContext& context_;
  bool any_fence_ = false;  // in this launch: only then can anything be released
  std::vector<Thread> threads_;
  AllKnowledge block_known_;
  std::unique_ptr<Release> block_release_;  // what was before the fences before the newest barrier
  Meetings meetings_, shared_meetings_;
  std::unordered_map<std::uintptr_t, AllKnowledge> mbarriers_;  // by address
};

}  // namespace emu
