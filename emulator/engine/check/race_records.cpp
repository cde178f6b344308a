// What racecheck remembers of a word that many access, and when two accesses are a race.
#include <algorithm>
#include <cstring>

#include "engine/check/check_race.hpp"

namespace emu {

void RaceCheck::merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane,
                             bool is_shared) {
  std::uint64_t& reader = page.reads[index];
  if (page.others && page.others[index] >= limit_ &&
      (is_shared || AccessRecord{page.others[index]}.flag(kOtherBlockFlag)) &&
      !AccessRecord{page.others[index]}.flag(kWriteFlag))
    return;  // whatever writes here next is not ordered with one of the two
  const AccessRecord old{reader}, present{mine};
  if (old.segment() == context_.segment) {
    const unsigned first = std::min({old.lane(), present.lane(), old.last_lane()});
    const unsigned last = std::max({old.last_lane(), present.last_lane(), old.lane()});
    constexpr std::uint64_t kLanes =
        AccessRecord::kLaneMask << AccessRecord::kLaneShift | AccessRecord::kLaneMask << 1;
    const std::uint64_t strong = old.bits & present.bits & 1u << kStrongFlag;
    reader = (old.bits & ~kLanes & ~(std::uint64_t{1} << kStrongFlag)) | strong |
             std::uint64_t{first} << AccessRecord::kLaneShift | std::uint64_t{last} << 1;
    return;
  }
  if (old.segment() < context_.block_first) {  // another block
    const std::uint64_t as_other = mine & ~(AccessRecord::kLaneMask << 1);
    return note_other(page, index, as_other, true);
  }
  if (before(old, old.lane(), lane) && before(old, old.last_lane(), lane)) {
    reader = mine;
    return;
  }
  if (old.warp() == context_.warp) {
    note_other(page, index, old.bits & ~(AccessRecord::kLaneMask << 1), false);
    reader = mine;
  } else {
    note_other(page, index, mine & ~(AccessRecord::kLaneMask << 1), false);
  }
}

/// Remembers one more access, if it says more than what is remembered.
void RaceCheck::note_other(ShadowPage& page, unsigned index, std::uint64_t record,
                           bool other_block) {
  std::uint64_t& other = page.records(page.others)[index];
  if (other_block) record |= std::uint64_t{1} << kOtherBlockFlag;
  const AccessRecord old{other};
  const bool is_over = other < limit_ || (old.segment() >= context_.block_first &&
                                          old.segment() < context_.block_since);
  if (!is_over && (!other_block || old.flag(kOtherBlockFlag))) return;
  if (page.counted_launch != context_.launch_first) {
    page.counted_launch = context_.launch_first;
    page.words_of_two_blocks = 0;
  }
  const auto counts = [&](std::uint64_t bits) {
    const AccessRecord r{bits};
    return bits >= limit_ && r.flag(kOtherBlockFlag) && !r.flag(kWriteFlag);
  };
  page.words_of_two_blocks += counts(record);
  page.words_of_two_blocks -= counts(other);
  other = record;
}

void RaceCheck::compare(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
                        const Present& present, const ShadowPage& page) {
  if (before(earlier, earlier_lane, present.lane)) return;
  const bool same_warp =
      earlier.segment() >= context_.block_first && earlier.warp() == context_.warp;
  const bool any_atomic =
      present.access->kind == AccessKind::atomic || (earlier_writes && earlier.flag(kAtomicFlag));
  if (present.access->is_strong && earlier.flag(kStrongFlag) && (any_atomic || !same_warp)) return;
  if (earlier_writes && present.access->kind == AccessKind::store && !earlier.flag(kAtomicFlag) &&
      !present.access->is_copy && !is_copy(earlier) &&
      same_data(earlier, earlier_lane, present, page))
    return;
  report_.add({present.access, present.lane, present.address, present.bytes, earlier, earlier_lane,
               earlier_writes, is_copy(earlier)});
}

/// Whether two writes wrote the same, so that their order does not matter.
bool RaceCheck::same_data(AccessRecord earlier, unsigned earlier_lane, const Present& present,
                          const ShadowPage& page) const {
  const auto* const now = reinterpret_cast<const unsigned char*>(present.address);
  if (earlier.segment() != context_.segment)
    return std::memcmp(&page.values[present.address % kPageBytes], now, present.bytes) == 0;
  // In one phase: the lane that ran later found what is there now.
  const WarpAccess& a = *present.access;
  const auto rank = [&](unsigned lane) { return (lane - first_lane_) % kWarpSize; };
  const bool is_later = rank(present.lane) > rank(earlier_lane);
  if (!a.found || a.bytes > sizeof(std::int64_t)) return false;
  if (!is_later && earlier.site() != a.site) return false;
  const unsigned later = is_later ? present.lane : earlier_lane;
  if (!(a.lanes & a.found->lanes & 1u << later)) return false;
  const std::uintptr_t offset = present.address - a.address(later);
  if (offset >= a.bytes) return false;
  return std::memcmp(reinterpret_cast<const unsigned char*>(&a.found->values[later]) + offset, now,
                     present.bytes) == 0;
}

}  // namespace emu
