/// @file
/// racecheck: finds two accesses of different threads to one byte, at least one of them a write,
/// neither of which happens before the other.
///
/// Of each word, the last writer, a reader and one more access of another warp are recorded.
/// race_order.hpp defines what happens before what.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "engine/check/check_context.hpp"
#include "engine/check/race_order.hpp"
#include "engine/check/race_report.hpp"

namespace emu {

class RaceCheck : public RaceOrder {
 public:
  explicit RaceCheck(CheckContext& context) : RaceOrder(context), report_(context) {}

  void begin_phase(unsigned first_lane) {
    first_lane_ = first_lane;
    swaps_.clear();
    bounds_.clear();
  }
  /// Called before a lane's compare-and-swap. What the lane reads there in the same phase is a
  /// guess that the swap verifies, so it does not race with atomic operations of others.
  void about_to_swap(unsigned lane, std::uintptr_t address) {
    Swap& swap = swaps_[{lane, address}];
    if (swap == Swap::failed) swap = Swap::unknown;
  }
  /// Called after a lane's compare-and-swap. One that has not swapped was only a read.
  void has_compared(unsigned lane, std::uintptr_t address, bool has_swapped) {
    const auto swap = swaps_.find({lane, address});
    if (swap == swaps_.end()) return;  // about_to_swap() was called in an earlier phase
    if (has_swapped)
      swap->second = Swap::written;
    else if (swap->second == Swap::unknown)
      swap->second = Swap::failed;
  }
  /// Called before a lane's atomic minimum or maximum. What the lane reads there before, in the
  /// same phase, only tells whether the operation may be left out.
  void about_to_bound(unsigned lane, std::uintptr_t address) { ++bounds_[{lane, address}]; }
  /// Checks and records a request.
  void access(const WarpAccess& access);
  /// Checks and records the writes of an asynchronous copy that a lane issues; `write` has the
  /// bytes. The lane's earlier accesses are in earlier segments.
  void request_copy(const WarpAccess& write, CheckedBlock& target, SharedAddress barrier);
  /// Begins an asynchronous read: by a tensor core of the warp that runs, or by a bulk store of
  /// `read.thread`. The thread's earlier accesses are in earlier segments.
  void begin_read(AsyncRead read);
  void commit_reads(AsyncRead::By by, unsigned thread);
  /// Returns whether the thread's wait for all but its newest groups covers reads that it has not
  /// waited for.
  bool awaits_reads(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) const;
  void waited_for_reads(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest);
  /// Called when the block on the stage ends, and its shared memory with it. Reports accesses of
  /// other blocks of the cluster that do not happen before the end.
  void end_block();

 private:
  /// The state of a lane's compare-and-swaps on one word in this phase.
  enum class Swap : std::uint8_t { unknown, failed, written };

  bool has_only_read(const WarpAccess& access, unsigned lane) const;
  void has_bounded(const WarpAccess& access);
  /// Returns whether a recorded read is atomic or volatile, or only a guess.
  bool is_guess(AccessRecord read) const {
    return read.flag(kStrongFlag) || (!guess_sites_.empty() && guess_sites_.contains(read.site()));
  }
  std::uint32_t guesses_of(const WarpAccess& access);
  void access_alike(const WarpAccess& access);
  void check_reads(const WarpAccess& write);
  bool is_over(const AsyncRead& read, unsigned lane) const;
  void check_written(const AsyncRead& read);

  /// The access that is being checked: one lane, one word.
  struct Present {
    const WarpAccess* access;
    unsigned lane;
    std::uintptr_t address;
    unsigned bytes;
  };

  template <bool is_shared>
  void access_in(const WarpAccess& access);
  template <bool is_shared>
  bool access_row(const WarpAccess& access, std::uint64_t who);
  template <bool is_shared>
  void read(ShadowPage& page, unsigned index, std::uint64_t mine, const Present& present);
  void write(ShadowPage& page, unsigned index, std::uint64_t mine, const Present& present);

  // Records and races (race_records.cpp).
  void merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane,
                    bool is_shared);
  void note_other(ShadowPage& page, unsigned index, std::uint64_t record, bool other_block);
  void compare(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
               const Present& present, const ShadowPage& page);
  bool same_data(AccessRecord earlier, unsigned earlier_lane, const Present& present,
                 const ShadowPage& page) const;

  void check_end(AccessRecord earlier, bool is_write, std::uintptr_t address, unsigned bytes);

  std::uint64_t limit_ = 0;  // records smaller than this happen before everything that runs now
  unsigned first_lane_ = 0;  // lane that runs first in this phase
  std::map<std::pair<unsigned, std::uintptr_t>, Swap> swaps_;  // in this phase, by lane and address
  // Atomic minima and maxima of this phase that are not checked yet, by lane and address.
  std::map<std::pair<unsigned, std::uintptr_t>, unsigned> bounds_;
  // Access sites that read guesses. A lane that finds its guess good enough makes no atomic
  // operation, so its read tells nothing of what it is for: other lanes' do.
  std::set<unsigned> guess_sites_;
  // Access sites of atomic operations that are recorded as reads or plain writes: failed
  // compare-and-swaps, atomic loads and stores.
  std::set<unsigned> atomic_sites_;
  RaceReport report_;
};

}  // namespace emu
