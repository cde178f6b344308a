// What racecheck records of a word that several threads access, and when two accesses are a race.
#include <algorithm>
#include <cstring>

#include "engine/check/check_race.hpp"

namespace emu {

void RaceCheck::merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane,
                             bool is_shared) {
  std::uint64_t& reader = page.reads[index];
  const AccessRecord old{reader}, present{mine};
  if (page.others && page.others[index] >= limit_) {
    const AccessRecord other{page.others[index]};
    const bool is_enough = (is_shared || other.flag(kOtherBlockFlag)) && !other.flag(kWriteFlag);
    const bool may_be_over = is_shared && !context_.now->is_alone() &&
                             (before(old, old.lane(), lane) || before(other, other.lane(), lane));
    if (is_enough && !may_be_over)
      return;  // any later write races with one of the two recorded reads
  }
  if (old.segment() == context_.segment) {
    const unsigned first = std::min({old.lane(), present.lane(), old.last_lane()});
    const unsigned last = std::max({old.last_lane(), present.last_lane(), old.lane()});
    constexpr std::uint64_t kLanes =
        AccessRecord::kLaneMask << AccessRecord::kLaneShift | AccessRecord::kLaneMask << 1;
    const std::uint64_t strong = old.bits & present.bits & 1u << kStrongFlag;
    const bool stays = present.flag(kStrongFlag) || !is_guess(old);
    reader = ((stays ? old : present).bits & ~kLanes & ~(std::uint64_t{1} << kStrongFlag)) |
             strong | std::uint64_t{first} << AccessRecord::kLaneShift | std::uint64_t{last} << 1;
    return;
  }
  if (before(old, old.lane(), lane) && before(old, old.last_lane(), lane)) {
    reader = mine;
    return;
  }
  if (!context_.is_own(old.segment())) {  // another block's
    const std::uint64_t as_other = mine & ~(AccessRecord::kLaneMask << 1);
    return note_other(page, index, as_other, true);
  }
  if (old.warp() == context_.warp) {
    note_other(page, index, old.bits & ~(AccessRecord::kLaneMask << 1), false);
    reader = mine;
  } else {
    note_other(page, index, mine & ~(AccessRecord::kLaneMask << 1), false);
  }
}

/// Records one more access of the word, unless the one that is recorded says at least as much.
void RaceCheck::note_other(ShadowPage& page, unsigned index, std::uint64_t record,
                           bool other_block) {
  std::uint64_t& other = page.records(page.others)[index];
  page.newest_other = context_.segment;
  if (other_block) record |= std::uint64_t{1} << kOtherBlockFlag;
  const AccessRecord old{other};
  const bool is_over =
      other < limit_ || (old.segment() < context_.now->since && context_.is_own(old.segment()));
  if (!is_over && (!other_block || old.flag(kOtherBlockFlag))) return;
  if (page.counted_since != context_.all_since) {
    page.counted_since = context_.all_since;
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
  const bool same_warp = earlier.warp() == context_.warp && context_.is_own(earlier.segment());
  const bool any_atomic = present.access->kind == AccessKind::atomic || present.access->is_atomic ||
                          present.access->is_swap ||
                          (earlier_writes && earlier.flag(kAtomicFlag)) ||
                          atomic_sites_.contains(earlier.site());
  const bool is_strong = earlier.flag(kStrongFlag) || (!earlier_writes && !guess_sites_.empty() &&
                                                       guess_sites_.contains(earlier.site()));
  if (present.access->is_strong && is_strong && (any_atomic || !same_warp)) return;
  if (earlier_writes && present.access->kind == AccessKind::store && !earlier.flag(kAtomicFlag) &&
      !present.access->is_copy && !present.access->is_late && !is_copy(earlier) &&
      same_data(earlier, earlier_lane, present, page))
    return;
  report_.add({present.access, present.lane, present.address, present.bytes, earlier, earlier_lane,
               earlier_writes, is_copy(earlier)});
}

/// Returns whether two writes have stored the same value, so that their order does not matter.
bool RaceCheck::same_data(AccessRecord earlier, unsigned earlier_lane, const Present& present,
                          const ShadowPage& page) const {
  const auto* const now = reinterpret_cast<const unsigned char*>(present.address);
  if (earlier.segment() != context_.segment)
    return std::memcmp(&page.values[present.address % kPageBytes], now, present.bytes) == 0;
  // In one phase, the lane that ran later found the value that the earlier one had stored.
  const WarpAccess& a = *present.access;
  const auto rank = [&](unsigned lane) { return (lane - first_lane_) % kWarpSize; };
  const bool is_later = rank(present.lane) > rank(earlier_lane);
  const unsigned later = is_later ? present.lane : earlier_lane;
  const bool is_in_row = (is_later || earlier.site() == a.site) && a.found &&
                         a.bytes <= sizeof(std::int64_t) &&
                         (a.lanes & a.found->lanes & 1u << later) != 0;
  const std::uintptr_t offset = is_in_row ? present.address - a.address(later) : a.bytes;
  // Lanes in different rounds of a loop, or on different lines, have different rows.
  const auto* const found =
      offset < a.bytes
          ? reinterpret_cast<const unsigned char*>(&a.found->values[later]) + offset
          : context_.images->found_first(later, present.address - present.access->to_own_address,
                                         present.bytes);
  return found && std::memcmp(found, now, present.bytes) == 0;
}

void RaceCheck::end_block() {
  CheckedBlock& now = *context_.now;
  if (!now.is_alone())
    now.shared.each_page([&](std::uintptr_t first, const ShadowPage& page) {
      for (const auto* const records : {&page.writes, &page.reads, &page.others}) {
        if (!*records) continue;
        for (unsigned i = 0; i < kPageBytes >> page.shift; ++i)
          check_end(AccessRecord{(*records)[i]}, records == &page.writes,
                    first + (std::uintptr_t{i} << page.shift), 1u << page.shift);
      }
    });
  order().forget_copies(now);
}

/// Checks that another block's access to shared memory happens before the end of the present block.
void RaceCheck::check_end(AccessRecord earlier, bool is_write, std::uintptr_t address,
                          unsigned bytes) {
  const CheckedBlock& now = *context_.now;
  const std::uint32_t segment = earlier.segment();
  if (segment < now.first || segment < now.cluster->since || segment < context_.all_since ||
      context_.is_own(segment) || is_copy(earlier))
    return;
  const CheckContext::Stay& stay = context_.stay_of(segment);
  const ClusterThread thread{stay.rank, earlier.warp() * kWarpSize + earlier.lane()};
  if (order().any_knows(now.rank, thread, segment)) return;
  report_.add_end(earlier, is_write || earlier.flag(kWriteFlag), address, bytes);
}

}  // namespace emu
