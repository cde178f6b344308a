/// @file
/// What the checks remember of memory: of each byte whether it was written, of each word who
/// accessed it last.
///
/// Kept in pieces of 4 KiB of addresses, made when they are first needed. A piece keeps its records
/// by words of 4 bytes until something smaller is accessed in it, then by bytes.
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

/// Who accessed a word, and when; 0: nobody.
///
/// `segment` is the time: it counts the phases of all warps of all launches, so that a larger one
/// is later, and every phase of an earlier launch or block has a smaller one.
struct AccessRecord {
  std::uint64_t bits = 0;

  static constexpr unsigned kSegmentShift = 32, kSiteShift = 16, kWarpShift = 11, kLaneShift = 6;
  static constexpr std::uint64_t kLaneMask = 31, kSiteMask = 0xffff;

  /// The bits of all records of a segment and of later ones are at least this.
  static constexpr std::uint64_t first_of(std::uint32_t segment) {
    return std::uint64_t{segment} << kSegmentShift;
  }

  std::uint32_t segment() const { return static_cast<std::uint32_t>(bits >> kSegmentShift); }
  unsigned site() const { return static_cast<unsigned>(bits >> kSiteShift & kSiteMask); }
  unsigned warp() const { return static_cast<unsigned>(bits >> kWarpShift & kLaneMask); }
  unsigned lane() const { return static_cast<unsigned>(bits >> kLaneShift & kLaneMask); }
  /// Only of readers: another lane that read in the same phase, or the same one.
  unsigned last_lane() const { return static_cast<unsigned>(bits >> 1 & kLaneMask); }
  bool flag(unsigned which) const { return (bits >> which & 1) != 0; }
};
/// Atomic, or volatile: for readers and writers.
constexpr unsigned kStrongFlag = 0;
// Only of writers, whose last_lane has no meaning:
constexpr unsigned kAtomicFlag = 1;
constexpr unsigned kWriteFlag = 2;       ///< in `others`: a writer, not a reader
constexpr unsigned kOtherBlockFlag = 3;  ///< in `others`: not of the block of the main record

/// 4 KiB of addresses.
struct ShadowPage {
  using Records = std::unique_ptr<std::uint64_t[]>;  // [kPageBytes >> shift]

  unsigned shift = 2;        ///< records are for 1 << shift bytes
  bool initialised = false;  ///< all of it; `init` then means nothing
  /// Records in `others` of two blocks that read the word, from segment `counted_since` on, before
  /// which everything is over: once these are all records, one reader more says nothing new.
  std::uint32_t counted_since = 0;
  unsigned words_of_two_blocks = 0;
  /// No record is of a later segment.
  std::uint32_t newest_write = 0, newest_read = 0, newest_other = 0;
  Records writes, reads;
  Records others;  ///< an access of another warp, not ordered with the one in writes or reads
  std::unique_ptr<unsigned char[]> values;            ///< what the last writes left behind
  std::unique_ptr<TouchedWords> touched;              ///< where blocks run at the same time
  std::array<std::uint64_t, kPageBytes / 64> init{};  ///< a bit a byte: something wrote it

  std::uint64_t* records(Records& kind) {
    if (!kind) kind = std::make_unique<std::uint64_t[]>(kPageBytes >> shift);
    return kind.get();
  }
  void split_into_bytes();
  void forget_records();

  /// Whether reads in this launch need no more looking at.
  bool is_quiet(std::uint32_t all_since) const {
    return words_of_two_blocks == kPageBytes >> shift && counted_since == all_since && initialised;
  }
};

/// Calls `visit(address, first, last)` for the parts of [begin, begin + bytes) in one page each:
/// where a part begins, and its bytes in the page.
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

/// The pages of a range of addresses.
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
  /// A page there, which becomes the shadow's.
  ShadowPage& put(std::uintptr_t address, ShadowPage* page);
  void forget(std::uintptr_t begin, std::size_t bytes);
  /// All pages are somebody else's from now on.
  void let_go();
  /// Forgets who accessed what: the segments begin anew.
  void forget_records();
  /// Calls visit(first address, page) for those that were made, in that order.
  template <class Visit>
  void each_page(Visit&& visit) {
    for (const std::uintptr_t at : made_) visit(at, *find(at));
  }

 private:
  void release();

  std::uintptr_t begin_ = 0, bytes_ = 0;
  ShadowPage** pages_ = nullptr;      // reserved for all of the range, touched where it is used
  std::vector<std::uintptr_t> made_;  // pages' first addresses
};

/// Bits `first` to `last` (exclusive) of a page's `init`.
bool all_set(const ShadowPage& page, unsigned first, unsigned last);
bool none_set(const ShadowPage& page, unsigned first, unsigned last);
/// Whether something wrote all of these bytes of a page.
inline bool is_written(const ShadowPage& page, unsigned first, unsigned last) {
  return page.initialised || all_set(page, first, last);
}
void set_bits(ShadowPage& page, unsigned first, unsigned last);
void clear_bits(ShadowPage& page, unsigned first, unsigned last);

}  // namespace emu
