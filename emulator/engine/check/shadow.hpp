/// @file
/// Shadow memory: for each byte, whether it was written; for each word, who has accessed it.
///
/// Shadow pages cover 4 KiB of addresses and are made on first use. A page has records for words of
/// 4 bytes until something smaller is accessed in it, then for bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/touched_words.hpp"

namespace emu {

constexpr std::uintptr_t kPageBytes = 4096;
constexpr unsigned kWordBytes = 4;

/// The record of an access: who made it, and when; 0: none.
///
/// `segment` is the logical time. It grows with the phases of all warps in all launches: a larger
/// one is later, and those of an earlier launch or block are smaller.
struct AccessRecord {
  std::uint64_t bits = 0;

  static constexpr unsigned kSegmentShift = 32, kSiteShift = 16, kWarpShift = 11, kLaneShift = 6;
  static constexpr std::uint64_t kLaneMask = 31, kSiteMask = 0xffff;

  /// Returns the smallest bits of a record of this segment. Records of later segments are larger.
  static constexpr std::uint64_t first_of(std::uint32_t segment) {
    return std::uint64_t{segment} << kSegmentShift;
  }

  std::uint32_t segment() const { return static_cast<std::uint32_t>(bits >> kSegmentShift); }
  unsigned site() const { return static_cast<unsigned>(bits >> kSiteShift & kSiteMask); }
  unsigned warp() const { return static_cast<unsigned>(bits >> kWarpShift & kLaneMask); }
  unsigned lane() const { return static_cast<unsigned>(bits >> kLaneShift & kLaneMask); }
  /// For readers only: the highest lane that read in the same phase.
  unsigned last_lane() const { return static_cast<unsigned>(bits >> 1 & kLaneMask); }
  bool flag(unsigned which) const { return (bits >> which & 1) != 0; }
};
/// The access is atomic or volatile; for readers and writers.
constexpr unsigned kStrongFlag = 0;
// For writers only, which have no last_lane().
constexpr unsigned kAtomicFlag = 1;
constexpr unsigned kWriteFlag = 2;  ///< in `others`: the record of a writer
/// In `others`: not of the block of the record in `writes` or `reads`
constexpr unsigned kOtherBlockFlag = 3;

/// The shadow of 4 KiB of addresses.
struct ShadowPage {
  using Records = std::unique_ptr<std::uint64_t[]>;  // [kPageBytes >> shift]

  unsigned shift = 2;        ///< each record is for 1 << shift bytes
  bool initialised = false;  ///< all of the page is written, whatever `init` says
  /// `words_of_two_blocks` is the number of words with a record in `others` of a second block that
  /// has read them since segment `counted_since`, before which everything is ordered. When that is
  /// all words, another reader need not be recorded.
  std::uint32_t counted_since = 0;
  unsigned words_of_two_blocks = 0;
  /// Segments of the newest records (an upper bound).
  std::uint32_t newest_write = 0, newest_read = 0, newest_other = 0;
  Records writes, reads;
  /// An access of another warp that is not ordered with the one in `writes` or `reads`
  Records others;
  std::unique_ptr<unsigned char[]> values;  ///< the values that the last writes stored
  std::unique_ptr<TouchedWords> touched;    ///< where blocks run at the same time; else null
  std::array<std::uint64_t, kPageBytes / 64> init{};  ///< bit i: byte i was written

  std::uint64_t* records(Records& kind) {
    if (!kind) kind = std::make_unique<std::uint64_t[]>(kPageBytes >> shift);
    return kind.get();
  }
  void split_into_bytes();
  void forget_records();

  /// Returns whether reads in this launch need no further checks.
  bool is_quiet(std::uint32_t all_since) const {
    return words_of_two_blocks == kPageBytes >> shift && counted_since == all_since && initialised;
  }
};

/// Calls `visit(address, first, last)` for each part of [begin, begin + bytes) that lies in one
/// page: its address, and the range of its bytes in the page.
template <class Visit>
void for_pages(std::uintptr_t begin, std::size_t bytes, Visit&& visit) {
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const auto first = static_cast<unsigned>(begin % kPageBytes);
    const auto count =
        static_cast<unsigned>(std::min<std::uintptr_t>(kPageBytes - first, end - begin));
    visit(begin, first, first + count);
    begin += count;
  }
}

/// The shadow pages of a range of addresses.
class Shadow {
 public:
  Shadow() = default;
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  void cover(std::uintptr_t begin, std::size_t bytes);
  bool covers(std::uintptr_t address) const { return address - begin_ < bytes_; }
  ShadowPage* find(std::uintptr_t address) const { return pages_[(address - begin_) / kPageBytes]; }
  ShadowPage& make(std::uintptr_t address);
  /// Adds an existing page, which the shadow then owns.
  ShadowPage& put(std::uintptr_t address, ShadowPage* page);
  void forget(std::uintptr_t begin, std::size_t bytes);
  /// Gives up ownership of all pages.
  void let_go();
  /// Forgets all records of accesses, before segments are numbered from the start again.
  void forget_records();
  /// Calls visit(first address, page) for all pages, in the order in which they were made.
  template <class Visit>
  void each_page(Visit&& visit) {
    for (const std::uintptr_t at : made_) visit(at, *find(at));
  }

 private:
  void release();

  std::uintptr_t begin_ = 0, bytes_ = 0;
  // Reserved for the whole range; the system provides pages of the table on first use.
  ShadowPage** pages_ = nullptr;
  std::vector<std::uintptr_t> made_;  // first addresses of the pages
};

/// Returns whether bits `first` to `last` (exclusive) of a page's `init` are all set.
bool all_set(const ShadowPage& page, unsigned first, unsigned last);
/// Returns whether all of these bytes of a page were written.
inline bool is_written(const ShadowPage& page, unsigned first, unsigned last) {
  return page.initialised || all_set(page, first, last);
}
void set_bits(ShadowPage& page, unsigned first, unsigned last);
void clear_bits(ShadowPage& page, unsigned first, unsigned last);

}  // namespace emu
