#include "engine/check/check_race.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace emu {

void RaceCheck::access(const WarpAccess& a) {
  if (a.is_atomic) atomic_sites_.insert(a.site);
  const std::uint32_t guesses = guesses_of(a);
  if (a.is_extreme) has_bounded(a);
  if (guesses == 0) return access_alike(a);
  WarpAccess part = a;
  if (guesses != a.lanes) {
    part.shape = Shape::scattered;
    part.lanes = a.lanes & ~guesses;
    access_alike(part);
  }
  part.lanes = guesses;
  part.is_strong = true;
  part.kind = AccessKind::load;
  if (a.is_swap) atomic_sites_.insert(a.site);
  access_alike(part);
}

/// Returns the lanes whose accesses count as mere guesses.
std::uint32_t RaceCheck::guesses_of(const WarpAccess& a) {
  if (a.kind != AccessKind::load && !a.is_swap) return 0;
  const bool is_plain = a.kind == AccessKind::load && !a.is_strong;
  if (is_plain && !guess_sites_.empty() && guess_sites_.contains(a.site)) return a.lanes;
  if (swaps_.empty() && bounds_.empty()) return 0;
  std::uint32_t guesses = 0;
  for (std::uint32_t left = a.lanes; left != 0; left &= left - 1)
    if (has_only_read(a, static_cast<unsigned>(std::countr_zero(left))))
      guesses |= left & (~left + 1);
  if (guesses == 0 || !is_plain) return guesses;
  guess_sites_.insert(a.site);
  return a.lanes;
}

/// Returns whether a lane's access counts as a mere read: a read before an atomic operation on the
/// same word that allows for what others do meanwhile, or a compare-and-swap that has only failed.
bool RaceCheck::has_only_read(const WarpAccess& a, unsigned lane) const {
  const std::pair key{lane, a.address(lane)};
  const auto swap = swaps_.find(key);
  if (swap != swaps_.end() && (!a.is_swap || swap->second == Swap::failed)) return true;
  return !a.is_swap && bounds_.contains(key);
}

/// Forgets the minima and maxima of this access: what a lane reads afterwards is no guess.
void RaceCheck::has_bounded(const WarpAccess& a) {
  for (std::uint32_t left = a.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto bound = bounds_.find({lane, a.address(lane)});
    if (bound != bounds_.end() && --bound->second == 0) bounds_.erase(bound);
  }
}

/// Checks lanes whose accesses have the same properties.
void RaceCheck::access_alike(const WarpAccess& a) {
  if (a.is_shared) {
    if (a.kind != AccessKind::load) check_reads(a);
    const CheckedBlock& now = *context_.now;
    limit_ = AccessRecord::first_of(
        std::max(now.is_alone() ? now.since : now.cluster->since, context_.all_since));
    access_in<true>(a);
  } else {
    limit_ = AccessRecord::first_of(context_.all_since);
    access_in<false>(a);
  }
}

void RaceCheck::request_copy(const WarpAccess& write, CheckedBlock& target, SharedAddress barrier) {
  order().begin_copy(write, target, key_of(barrier));
  access(write);
  order().end_copy();
}

template <bool is_shared>
void RaceCheck::access_in(const WarpAccess& a) {
  const std::uint64_t who = AccessRecord::first_of(context_.segment) |
                            std::uint64_t{a.site} << AccessRecord::kSiteShift |
                            std::uint64_t{context_.warp} << AccessRecord::kWarpShift |
                            std::uint64_t{a.is_strong} << kStrongFlag;
  const bool writes = a.kind != AccessKind::load;
  const std::uint64_t write_flags =
      std::uint64_t{a.kind == AccessKind::atomic} << kAtomicFlag | std::uint64_t{1} << kWriteFlag;
  std::uint32_t lanes = a.lanes;
  unsigned last_of_all = kWarpSize;
  if (!writes) {  // all lanes read one word: the first and the last stand for the others
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto last = kWarpSize - 1 - static_cast<unsigned>(std::countl_zero(lanes));
    bool same = a.shape == Shape::same || a.offsets[first] == a.offsets[last];
    if (a.shape != Shape::same)
      for (std::uint32_t left = lanes; same && left != 0; left &= left - 1)
        same = a.offsets[static_cast<unsigned>(std::countr_zero(left))] == a.offsets[first];
    if (same) {
      lanes = 1u << first;
      last_of_all = last;
    }
  }
  if (a.shape == Shape::in_row && access_row<is_shared>(a, who | (writes ? write_flags : 0)))
    return;
  std::uintptr_t page_number = ~std::uintptr_t{0};
  ShadowPage* page = nullptr;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const unsigned last = last_of_all == kWarpSize ? lane : last_of_all;
    const std::uint64_t mine = who | std::uint64_t{lane} << AccessRecord::kLaneShift |
                               (writes ? write_flags : std::uint64_t{last} << 1);
    const std::uintptr_t begin = a.address(lane), end = begin + a.bytes;
    report_.begin_access();
    for (std::uintptr_t at = begin; at < end;) {
      if (at / kPageBytes != page_number) {
        page_number = at / kPageBytes;
        page = &context_.page_of(*a.memory, at + a.to_own_address);
        if (page->shift != 0 && (a.bytes | begin) % kWordBytes != 0) page->split_into_bytes();
        if (writes) {
          page->records(page->writes);
          if (!page->values) page->values = std::make_unique<unsigned char[]>(kPageBytes);
        } else {
          page->records(page->reads);
        }
      }
      const auto index = static_cast<unsigned>(at % kPageBytes) >> page->shift;
      const unsigned bytes = 1u << page->shift;
      const Present present{&a, lane, at, bytes};
      if (writes)
        write(*page, index, mine, present);
      else
        read<is_shared>(*page, index, mine, present);
      if (!writes && last != lane && page->writes && page->writes[index] >= limit_) {
        const Present also{&a, last, at, bytes};
        const AccessRecord record{page->writes[index]};
        if (!is_mine(record, last)) compare(record, record.lane(), true, also, *page);
      }
      at += bytes;
    }
  }
}

/// Records an access of lanes to consecutive words at once, if all their records are alike and no
/// race is possible.
/// @return false if each word must be checked
template <bool is_shared>
bool RaceCheck::access_row(const WarpAccess& a, std::uint64_t who) {
  const auto first_lane = static_cast<unsigned>(std::countr_zero(a.lanes));
  const std::uintptr_t begin = a.address(first_lane);
  const unsigned bytes = a.bytes * static_cast<unsigned>(std::popcount(a.lanes));
  if ((a.bytes | begin) % kWordBytes != 0) return false;
  const unsigned words_per_lane = a.bytes / kWordBytes;
  const std::uint64_t limit = limit_;
  const std::uint32_t limit_segment = AccessRecord{limit}.segment();
  const bool writes = a.kind != AccessKind::load;
  for (unsigned done = 0; done < bytes;) {
    const std::uintptr_t at = begin + done;
    const unsigned part =
        std::min(bytes - done, static_cast<unsigned>(kPageBytes - at % kPageBytes));
    ShadowPage* const page = &context_.page_of(*a.memory, at + a.to_own_address);
    if (page->shift == 0) return false;  // repeating the pages before this one changes nothing
    const unsigned first = static_cast<unsigned>(at % kPageBytes) / kWordBytes,
                   count = part / kWordBytes;
    std::uint64_t newest_write = 0, newest_read = 0, newest_other = 0;
    std::uint64_t oldest_read = ~std::uint64_t{0}, oldest_other = ~std::uint64_t{0};
    if (page->newest_write >= limit_segment)
      for (unsigned i = 0; i < count; ++i)
        newest_write = std::max(newest_write, page->writes[first + i]);
    if (newest_write >= limit) return false;
    if (page->newest_read >= limit_segment)
      for (unsigned i = 0; i < count; ++i) {
        newest_read = std::max(newest_read, page->reads[first + i]);
        oldest_read = std::min(oldest_read, page->reads[first + i]);
      }
    const bool has_others = page->newest_other >= limit_segment;
    if (has_others && newest_read >= limit)
      for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t other = page->others[first + i];
        const bool counts = is_shared || (AccessRecord{other}.flag(kOtherBlockFlag) &&
                                          !AccessRecord{other}.flag(kWriteFlag));
        newest_other = std::max(newest_other, other);
        oldest_other = std::min(oldest_other, counts ? other : 0);
      }
    else if (has_others && writes)
      for (unsigned i = 0; i < count; ++i)
        newest_other = std::max(newest_other, page->others[first + i]);
    if (newest_read >= limit) {
      const bool enough = has_others && !writes && oldest_read >= limit && oldest_other >= limit &&
                          (!is_shared || context_.now->is_alone());
      if (!enough) return false;
    } else {
      if (newest_other >= limit) return false;
      std::uint64_t* const records = page->records(writes ? page->writes : page->reads);
      (writes ? page->newest_write : page->newest_read) = context_.segment;
      unsigned lane = first_lane + done / a.bytes;
      for (unsigned i = 0; i < count; ++lane) {
        const std::uint64_t mine = who | std::uint64_t{lane} << AccessRecord::kLaneShift |
                                   (writes ? 0 : std::uint64_t{lane} << 1);
        for (unsigned w = 0; w < words_per_lane && i < count; ++w, ++i) records[first + i] = mine;
      }
      if (writes) {
        page->counted_since = 0;
        if (!page->values) page->values = std::make_unique<unsigned char[]>(kPageBytes);
        std::memcpy(&page->values[at % kPageBytes], reinterpret_cast<const void*>(at), part);
      }
    }
    done += part;
  }
  return true;
}

template <bool is_shared>
[[gnu::always_inline]] inline void RaceCheck::read(ShadowPage& page, unsigned index,
                                                   std::uint64_t mine, const Present& present) {
  if (page.writes && page.writes[index] >= limit_) {
    const AccessRecord record{page.writes[index]};
    if (!is_mine(record, present.lane)) {
      compare(record, record.lane(), true, present, page);
      if (page.others && page.others[index] >= limit_) {
        const AccessRecord other{page.others[index]};
        if (other.flag(kWriteFlag)) compare(other, other.lane(), true, present, page);
      }
    } else if (record.flag(kAtomicFlag) && page.others && page.others[index] >= limit_) {
      const AccessRecord other{page.others[index]};
      if (other.flag(kWriteFlag)) compare(other, other.lane(), true, present, page);
    }
  }
  std::uint64_t& reader = page.reads[index];
  page.newest_read = context_.segment;
  if (reader < limit_)
    reader = mine;
  else
    merge_reader(page, index, mine, present.lane, is_shared);
}

[[gnu::always_inline]] inline void RaceCheck::write(ShadowPage& page, unsigned index,
                                                    std::uint64_t mine, const Present& present) {
  const AccessRecord writer{page.writes[index]};
  bool keep_writer = false;
  if (writer.bits >= limit_ && !is_mine(writer, present.lane)) {
    compare(writer, writer.lane(), true, present, page);
    keep_writer = present.access->kind == AccessKind::atomic && writer.flag(kAtomicFlag) &&
                  !before(writer, writer.lane(), present.lane);
  }
  // A plain write stays recorded as plain, though the same thread goes on with atomic operations.
  const bool keep_plain = present.access->kind == AccessKind::atomic && writer.bits >= limit_ &&
                          !writer.flag(kAtomicFlag);
  if (page.reads && page.reads[index] >= limit_) {
    const AccessRecord reader{page.reads[index]};
    if (!is_mine(reader, present.lane) || reader.last_lane() != present.lane) {
      if (reader.lane() != reader.last_lane() && reader.lane() == present.lane &&
          reader.warp() == context_.warp)
        compare(reader, reader.last_lane(), false, present, page);
      else
        compare(reader, reader.lane(), false, present, page);
    }
    page.reads[index] = 0;
  }
  if (page.others && page.others[index] >= limit_) {
    const AccessRecord other{page.others[index]};
    // Atomic operations on one word are ordered, so the thread that made the newest one comes after
    // the earlier ones.
    const bool is_ordered = other.flag(kWriteFlag) && other.flag(kAtomicFlag) &&
                            writer.flag(kAtomicFlag) && is_mine(writer, present.lane);
    if (!is_ordered) compare(other, other.lane(), other.flag(kWriteFlag), present, page);
    if (!keep_writer && !(present.access->kind == AccessKind::atomic && other.flag(kWriteFlag)))
      page.others[index] = 0;
  }
  page.counted_since = 0;
  if (keep_writer || keep_plain)
    note_other(page, index, writer.bits, !context_.is_own(writer.segment()));
  page.writes[index] = mine;
  page.newest_write = context_.segment;
  std::memcpy(&page.values[present.address % kPageBytes],
              reinterpret_cast<const void*>(present.address), present.bytes);
}

}  // namespace emu
