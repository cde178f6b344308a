/// @file
/// racecheck: two threads, one byte, at least one write, and nothing that puts one before the
/// other.
///
/// Of each word the last writer, a reader and one more access of another warp are remembered;
/// whether such an access is before the present one, race_order.hpp says.
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
  }
  /// A lane will compare and swap. What it reads there in this phase is a guess, which the swap
  /// puts right: no race with atomic operations of others.
  void about_to_swap(unsigned lane, std::uintptr_t address) {
    Swap& swap = swaps_[{lane, address}];
    if (swap == Swap::failed) swap = Swap::unknown;
  }
  /// It has. What finds another value than expected has only read.
  void has_compared(unsigned lane, std::uintptr_t address, bool has_swapped) {
    const auto swap = swaps_.find({lane, address});
    if (swap == swaps_.end()) return;  // it was asked for in an earlier phase
    if (has_swapped)
      swap->second = Swap::written;
    else if (swap->second == Swap::unknown)
      swap->second = Swap::failed;
  }
  void access(const WarpAccess& access);
  /// A lane asks for a copy; in `write`, the bytes that it will write. Its earlier accesses are in
  /// earlier segments.
  void request_copy(const WarpAccess& write, CheckedBlock& target, SharedPlace barrier);
  /// A tensor core of the warp that runs, or a bulk store of `thread`, begins to read. What the
  /// thread did earlier is in earlier segments.
  void begin_read(AsyncRead read);
  void commit_reads(AsyncRead::By by, unsigned thread);
  /// The thread waits for its groups but the newest ones.
  bool awaits_reads(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) const;
  void waited_for_reads(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest);
  /// The block on the stage has ended, and its shared memory with it: others of its cluster must
  /// have read what they wanted.
  void end_block();

 private:
  /// What the compare-and-swaps of a lane at one place have done in the phase.
  enum class Swap : std::uint8_t { unknown, failed, written };

  bool has_only_read(const WarpAccess& access, unsigned lane) const;
  void access_alike(const WarpAccess& access);
  void check_reads(const WarpAccess& write);
  bool is_over(const AsyncRead& read, unsigned lane) const;
  void check_written(const AsyncRead& read);

  /// The access that is being looked at, of one lane to one word.
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

  // What is remembered, and what is a race (race_records.cpp).
  void merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane,
                    bool is_shared);
  void note_other(ShadowPage& page, unsigned index, std::uint64_t record, bool other_block);
  void compare(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
               const Present& present, const ShadowPage& page);
  bool same_data(AccessRecord earlier, unsigned earlier_lane, const Present& present,
                 const ShadowPage& page) const;

  void check_end(AccessRecord earlier, bool is_write, std::uintptr_t place, unsigned bytes);

  std::uint64_t limit_ = 0;  // smaller records are before whatever happens now
  unsigned first_lane_ = 0;  // the first to run in this phase
  std::map<std::pair<unsigned, std::uintptr_t>, Swap> swaps_;  // of the phase: lane and address
  std::set<unsigned> failed_sites_;  // of compare-and-swaps that are remembered as reads
  RaceReport report_;
};

}  // namespace emu
