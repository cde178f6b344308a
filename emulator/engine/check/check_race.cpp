#include "engine/check/check_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/check/check_host.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"

namespace emu {

namespace {

constexpr unsigned kWordBytes = 4;

std::uint64_t limit_of(std::uint32_t segment) {
  return std::uint64_t{segment} << AccessRecord::kSegmentShift;
}

}  // namespace

// ------------------------------------------------------------------------------------------ order

void RaceCheck::begin_launch() {
  if (any_fence_) {
    block_known_.clear();
    block_release_.reset();
    for (Thread& thread : threads_) thread = {};
    shared_meetings_.clear();
    meetings_.clear();
  }
  any_fence_ = false;
  if (!context_.checks.race) return;
  if (running_.empty() || running_.back().second != context_.launch->name)
    running_.emplace_back(context_.launch_first, context_.launch->name);
  launches_are_running = true;
}

void RaceCheck::begin_block(unsigned warps) {
  if (warps_.size() != warps) {
    warps_ = std::vector<Warp>(warps);
    threads_ = std::vector<Thread>(std::size_t{warps} * kWarpSize);
  }
  for (Warp& warp : warps_) {
    warp.since = context_.block_first;
    warp.pairs.reset();
  }
  if (mbarrier_count_ != 0) {
    mbarriers_.clear();
    mbarrier_count_ = 0;
    copies_.clear();
    copy_of_segment_.clear();
    block_clock_.clear();
    for (Thread& thread : threads_) thread.clock.clear();
  }
  if (!any_fence_) return;
  shared_meetings_.clear();
  block_known_.clear();
  block_release_.reset();
  for (Thread& thread : threads_) thread = {};
}

void RaceCheck::learn(AllKnowledge& to, const AllKnowledge& from) {
  for (const Knowledge& more : from) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const Knowledge& k) {
      return k.meeting == more.meeting && k.scope == more.scope;
    });
    if (known == to.end())
      to.push_back(more);
    else
      known->releases = std::max(known->releases, more.releases);
  }
}

void RaceCheck::block_barrier() {
  if (mbarrier_count_ != 0) {
    for (const Thread& thread : threads_) join(block_clock_, thread.clock);
    // A barrier says nothing of copies that nobody has waited for.
    for (Copy& copy : copies_)
      if (!knows(block_clock_, copy)) stamp_again(copy);
  }
  if (!any_fence_) return;
  for (Thread& thread : threads_) {
    learn(block_known_, thread.known);
    thread.known.clear();
  }
  release_block();
}

/// Each thread's fence, then the barrier: what any of them writes from now on is after them all.
void RaceCheck::release_block() {
  Release all;
  Clock clock;
  for (unsigned t = 0; t < threads_.size(); ++t) {
    const Release* const fence = threads_[t].fence.get();
    if (!fence || fence->scope != FenceScope::device) continue;
    all.block_since = std::max(all.block_since, fence->block_since);
    for (unsigned other = 0; other < kWarpSize; ++other)
      raise(clock, t / kWarpSize * kWarpSize + other, fence->of_lane[other]);
    raise(clock, t, fence->upto);
    if (fence->clock) join(clock, *fence->clock);
  }
  if (clock.empty()) return;
  constexpr unsigned kNoWarp = ~0u;
  all.block = context_.block;
  all.warp = kNoWarp;
  all.block_first = context_.block_first;
  all.clock = std::make_shared<const Clock>(std::move(clock));
  block_release_ = std::make_unique<Release>(std::move(all));
}

void RaceCheck::warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive) {
  const std::uint32_t now = context_.segment + 1;
  Warp& state = warps_[warp];
  if (all_alive) {
    state.since = now;
    state.pairs.reset();
  } else {
    if (!state.pairs) {
      state.pairs = std::make_unique<std::array<std::array<std::uint32_t, kWarpSize>, kWarpSize>>();
      for (auto& row : *state.pairs) row.fill(state.since);
    }
    std::array<std::uint32_t, kWarpSize> together{};
    for (unsigned other = 0; other < kWarpSize; ++other) {
      if (lanes >> other & 1) {
        together[other] = now;
        continue;
      }
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (lanes >> lane & 1)
          together[other] = std::max(together[other], (*state.pairs)[lane][other]);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) (*state.pairs)[lane] = together;
  }
  if (mbarrier_count_ != 0) {
    Clock of_lanes;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) join(of_lanes, threads_[warp * kWarpSize + lane].clock);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) threads_[warp * kWarpSize + lane].clock = of_lanes;
  }
  if (!any_fence_) return;
  AllKnowledge all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) learn(all, threads_[warp * kWarpSize + lane].known);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) threads_[warp * kWarpSize + lane].known = all;
}

void RaceCheck::barrier_of_some(const std::vector<std::uint32_t>& lanes) {
  const auto for_threads = [&](auto&& visit) {
    for (unsigned warp = 0; warp < lanes.size(); ++warp)
      for (std::uint32_t left = lanes[warp]; left != 0; left &= left - 1)
        visit(warp, static_cast<unsigned>(std::countr_zero(left)));
  };
  ++mbarrier_count_;  // threads have clocks from now on
  Clock all;
  AllKnowledge known;
  for_threads([&](unsigned warp, unsigned lane) {
    const unsigned thread = warp * kWarpSize + lane;
    join(all, threads_[thread].clock);
    for (unsigned other = 0; other < kWarpSize; ++other)
      raise(all, warp * kWarpSize + other, since(warp, lane, other));
    raise(all, thread, context_.segment + 1);
    learn(known, threads_[thread].known);
  });
  for_threads([&](unsigned warp, unsigned lane) {
    Thread& thread = threads_[warp * kWarpSize + lane];
    join(thread.clock, all);
    learn(thread.known, known);
  });
}

std::uint32_t RaceCheck::since(unsigned warp, unsigned lane, unsigned other) const {
  const Warp& state = warps_[warp];
  const std::uint32_t of_warp = state.pairs ? (*state.pairs)[lane][other] : state.since;
  return std::max(of_warp, context_.block_since);
}

void RaceCheck::fence(unsigned thread, FenceScope scope) {
  any_fence_ = true;
  auto release = std::make_unique<Release>();
  release->block = context_.block;
  release->warp = thread / kWarpSize;
  release->lane = thread % kWarpSize;
  release->scope = scope;
  release->block_first = context_.block_first;
  release->block_since = context_.block_since;
  release->upto = context_.segment;
  for (unsigned other = 0; other < kWarpSize; ++other)
    release->of_lane[other] = since(release->warp, release->lane, other);
  if (const Clock& clock = threads_[thread].clock; !clock.empty())
    release->clock = std::make_shared<const Clock>(clock);
  Thread& self = threads_[thread];
  self.fence = std::move(release);
  AllKnowledge acquired = self.seen;
  for (Knowledge& one : acquired) one.scope = scope;
  learn(self.known, acquired);
  if (scope == FenceScope::device) self.seen.clear();  // else a wider fence may follow
}

bool RaceCheck::orders(unsigned thread, std::uintptr_t address, bool writes) const {
  if (!any_fence_) return false;
  if (writes && (threads_[thread].fence || block_release_)) return true;
  return meetings_.contains(address) || shared_meetings_.contains(address);
}

void RaceCheck::synchronise(unsigned thread, std::uintptr_t address, bool is_shared, bool reads,
                            bool writes) {
  auto& meetings = is_shared ? shared_meetings_ : meetings_;
  Thread& self = threads_[thread];
  const auto found = meetings.find(address);
  if (reads && found != meetings.end()) {
    AllKnowledge all = found->second->known;
    all.push_back({found->second.get(), found->second->releases.size(), FenceScope::device});
    for (Knowledge& one : all) one.scope = FenceScope::device;
    learn(self.seen, all);
  }
  if (!writes || !(self.fence || block_release_)) return;
  auto& meeting = found == meetings.end() ? meetings[address] : found->second;
  if (!meeting) meeting = std::make_unique<Meeting>();
  if (self.fence) meeting->releases.push_back(*self.fence);
  if (block_release_ && !(self.fence && self.fence->block_since == context_.block_since))
    meeting->releases.push_back(*block_release_);
  AllKnowledge known = block_known_;
  learn(known, self.known);
  std::erase_if(known, [&](const Knowledge& k) { return k.meeting == meeting.get(); });
  learn(meeting->known, known);
}

bool RaceCheck::covered(const AllKnowledge& known, AccessRecord record, unsigned record_lane,
                        std::vector<const Meeting*>& visited) const {
  const std::uint32_t segment = record.segment();
  for (const auto& [meeting, count, acquired_by] : known) {
    const auto end = meeting->releases.begin() + static_cast<std::ptrdiff_t>(count);
    auto release =
        std::upper_bound(meeting->releases.begin(), end, segment,
                         [](std::uint32_t s, const Release& r) { return s < r.block_first; });
    const std::uint32_t block_first =
        release == meeting->releases.begin() ? 0 : std::prev(release)->block_first;
    while (release != meeting->releases.begin()) {
      --release;
      if (release->block_first != block_first) break;
      const bool reaches_a_block =
          release->scope == FenceScope::block || acquired_by == FenceScope::block;
      if (reaches_a_block && release->block != context_.block) continue;
      if (segment < release->block_since) return true;
      const std::size_t thread = record.warp() * kWarpSize + record_lane;
      if (release->clock && thread < release->clock->size() && segment < (*release->clock)[thread])
        return true;
      if (release->warp != record.warp()) continue;
      if (segment < (record_lane == release->lane ? release->upto : release->of_lane[record_lane]))
        return true;
    }
    if (std::find(visited.begin(), visited.end(), meeting) != visited.end()) continue;
    visited.push_back(meeting);
    if (covered(meeting->known, record, record_lane, visited)) return true;
  }
  return false;
}

bool RaceCheck::before(AccessRecord record, unsigned record_lane, unsigned lane) const {
  const std::uint32_t segment = record.segment();
  const Clock& clock = threads_[context_.warp * kWarpSize + lane].clock;
  if (const Copy* const copy = copy_of(record))
    return knows(clock, *copy) || knows(block_clock_, *copy);
  if (segment >= context_.block_first) {
    if (segment < context_.block_since) return true;
    if (record.warp() == context_.warp &&
        (record_lane == lane || segment < since(context_.warp, lane, record_lane)))
      return true;
    const std::size_t thread = record.warp() * kWarpSize + record_lane;
    if (thread < clock.size() && segment < clock[thread]) return true;
  }
  if (!any_fence_) return false;
  std::vector<const Meeting*> visited;
  return covered(threads_[context_.warp * kWarpSize + lane].known, record, record_lane, visited) ||
         covered(block_known_, record, record_lane, visited);
}

bool RaceCheck::is_mine(AccessRecord record, unsigned lane) const {
  return record.segment() >= context_.block_first && record.warp() == context_.warp &&
         record.lane() == lane && !copy_of(record);
}

// ------------------------------------------------------------------------------------ the host

void RaceCheck::host_waited() {
  host_since_ = context_.segment + 1;
  running_.clear();
}

std::string RaceCheck::kernel_of(std::uint32_t segment) const {
  const auto after =
      std::upper_bound(running_.begin(), running_.end(), segment,
                       [](std::uint32_t s, const auto& launch) { return s < launch.first; });
  return after == running_.begin() ? "" : std::prev(after)->second;
}

void RaceCheck::host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                            std::uintptr_t program_counter) {
  const bool writes = kind != AccessKind::load;
  for (std::uintptr_t at = address; at < address + bytes;) {
    ShadowPage* const page = context_.find_page(at, false);
    if (!page) return;
    const auto index = at % kPageBytes >> page->shift;
    at = ((at >> page->shift) + 1) << page->shift;
    const auto unfinished = [&](const ShadowPage::Records& records) {
      const AccessRecord record{records ? records[index] : 0};
      return record.segment() >= host_since_ && record.segment() != 0 ? record : AccessRecord{};
    };
    const AccessRecord written = unfinished(page->writes);
    const AccessRecord read = writes ? unfinished(page->reads) : AccessRecord{};
    if (written.bits == 0 && read.bits == 0) continue;
    const AccessRecord earlier = written.bits != 0 ? written : read;
    const std::uintptr_t site =
        earlier.site() < context_.sites.size() ? context_.sites[earlier.site()] : 0;
    const std::string key = fmt::format("host race|{}|{}", program_counter, site);
    if (count_finding(key, 1, bytes)) return;
    Finding finding = finding_of(Hazard::host_race);
    finding.title = writes ? "host code writes to memory that a kernel may still be using"
                           : "host code reads memory that a kernel may still be writing to";
    finding.kernel = kernel_of(earlier.segment());
    finding.first = {writes ? "write by the host" : "read by the host",
                     source_line(program_counter), "", ""};
    finding.second = {written.bits != 0 ? "write" : "read", source_line(site), "", ""};
    finding.memory = address_in_words(reinterpret_cast<const void*>(address));
    finding.hint = "a launch does not wait: cudaDeviceSynchronize() does";
    finding.bytes = bytes;
    add_finding(key, std::move(finding));
    return print_new_findings();
  }
}

// ------------------------------------------------------------------------- mbarriers and copies

void RaceCheck::join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

void RaceCheck::raise(Clock& clock, std::size_t index, std::uint32_t value) {
  if (clock.size() <= index) clock.resize(index + 1);
  clock[index] = std::max(clock[index], value);
}

const RaceCheck::Copy* RaceCheck::copy_of(AccessRecord record) const {
  const std::size_t index = record.segment() - context_.block_first;
  return index < copy_of_segment_.size() && copy_of_segment_[index] != 0
             ? &copies_[copy_of_segment_[index] - 1]
             : nullptr;
}

bool RaceCheck::knows(const Clock& clock, const Copy& copy) const {
  const std::size_t index = threads_.size() + copy.mbarrier;
  return index < clock.size() && copy.number <= clock[index];
}

void RaceCheck::init_mbarrier(std::uintptr_t barrier) {
  mbarriers_[barrier] = {};
  mbarriers_[barrier].number = mbarrier_count_++;
}

void RaceCheck::arrive(unsigned thread, std::uintptr_t barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  const unsigned warp = thread / kWarpSize, lane = thread % kWarpSize;
  join(mbarrier.arrived, threads_[thread].clock);
  for (unsigned other = 0; other < kWarpSize; ++other)
    raise(mbarrier.arrived, warp * kWarpSize + other, since(warp, lane, other));
  raise(mbarrier.arrived, thread, context_.segment);
  learn(mbarrier.known, threads_[thread].known);
}

void RaceCheck::end_phase_of(std::uintptr_t barrier, unsigned parity) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  mbarrier.over[parity] = mbarrier.arrived;
}

void RaceCheck::waited(unsigned thread, std::uintptr_t barrier, unsigned parity) {
  const Mbarrier& mbarrier = mbarriers_[barrier];
  join(threads_[thread].clock, mbarrier.over[parity]);
  learn(threads_[thread].known, mbarrier.known);
}

// In the log of time a copy happens when it is asked for: what came before must be over by then for
// the thread that asks, and nobody may touch the bytes until it knows that they have come.
void RaceCheck::request_copy(const WarpAccess& write, std::uintptr_t barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  const auto lane = static_cast<unsigned>(std::countr_zero(write.lanes));
  copies_.push_back({++context_.segment, mbarrier.number, ++mbarrier.requested, write.address(lane),
                     write.bytes});
  access(write);
  copy_of_segment_.resize(context_.segment - context_.block_first + 1);
  copy_of_segment_.back() = static_cast<std::uint32_t>(copies_.size());
  ++context_.segment;
}

void RaceCheck::made_copy(std::uintptr_t barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  raise(mbarrier.arrived, threads_.size() + mbarrier.number, ++mbarrier.made);
}

/// Makes the copy's records as new as the present.
void RaceCheck::stamp_again(Copy& copy) {
  const std::uint32_t before = copy.segment;
  copy.segment = ++context_.segment;
  copy_of_segment_.resize(copy.segment - context_.block_first + 1);
  copy_of_segment_.back() = std::exchange(copy_of_segment_[before - context_.block_first], 0);
  constexpr std::uint64_t kRest = (std::uint64_t{1} << AccessRecord::kSegmentShift) - 1;
  for (std::uintptr_t at = copy.begin; at < copy.begin + copy.bytes;) {
    ShadowPage& page = *context_.find_page(at, true);
    std::uint64_t& record = page.writes[at % kPageBytes >> page.shift];
    if (AccessRecord{record}.segment() == before)
      record = limit_of(copy.segment) | (record & kRest);
    at += std::uintptr_t{1} << page.shift;
  }
}

// --------------------------------------------------------------------------------------- accesses

void RaceCheck::access(const WarpAccess& a) {
  if (a.is_shared) {
    limit_ = limit_of(context_.block_since);
    access_in<true>(a);
  } else {
    limit_ = limit_of(context_.launch_first);
    access_in<false>(a);
  }
}

template <bool is_shared>
void RaceCheck::access_in(const WarpAccess& a) {
  const std::uint64_t who = limit_of(context_.segment) |
                            std::uint64_t{a.site} << AccessRecord::kSiteShift |
                            std::uint64_t{context_.warp} << AccessRecord::kWarpShift |
                            std::uint64_t{a.is_strong} << kStrongFlag;
  const bool writes = a.kind != AccessKind::load;
  const std::uint64_t write_flags =
      std::uint64_t{a.kind == AccessKind::atomic} << kAtomicFlag | std::uint64_t{1} << kWriteFlag;
  std::uint32_t lanes = a.lanes;
  unsigned last_of_all = kWarpSize;
  if (!writes) {  // one word for all lanes: the first and the last stand for the others
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
    ++visit_;
    for (std::uintptr_t at = begin; at < end;) {
      if (at / kPageBytes != page_number) {
        page_number = at / kPageBytes;
        page = context_.find_page(at, is_shared);
        if (!page) page = &context_.make_page(at, is_shared);
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
        write<is_shared>(*page, index, mine, present);
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

/// An access to words in a row: done at once if all are alike and nothing is to be reported; false
/// if each must be looked at.
template <bool is_shared>
bool RaceCheck::access_row(const WarpAccess& a, std::uint64_t who) {
  const auto first_lane = static_cast<unsigned>(std::countr_zero(a.lanes));
  const std::uintptr_t begin = a.address(first_lane);
  const unsigned bytes = a.bytes * static_cast<unsigned>(std::popcount(a.lanes));
  if ((a.bytes | begin) % kWordBytes != 0) return false;
  const unsigned words_per_lane = a.bytes / kWordBytes;
  const std::uint64_t limit = limit_;
  const bool writes = a.kind != AccessKind::load;
  for (unsigned done = 0; done < bytes;) {
    const std::uintptr_t at = begin + done;
    const unsigned part =
        std::min(bytes - done, static_cast<unsigned>(kPageBytes - at % kPageBytes));
    ShadowPage* page = context_.find_page(at, is_shared);
    if (!page) page = &context_.make_page(at, is_shared);
    if (page->shift == 0) return false;  // what was done before is done again, to the same effect
    const unsigned first = static_cast<unsigned>(at % kPageBytes) / kWordBytes,
                   count = part / kWordBytes;
    std::uint64_t newest_write = 0, newest_read = 0, newest_other = 0;
    std::uint64_t oldest_read = ~std::uint64_t{0}, oldest_other = ~std::uint64_t{0};
    if (page->writes)
      for (unsigned i = 0; i < count; ++i)
        newest_write = std::max(newest_write, page->writes[first + i]);
    if (newest_write >= limit) return false;
    if (page->reads)
      for (unsigned i = 0; i < count; ++i) {
        newest_read = std::max(newest_read, page->reads[first + i]);
        oldest_read = std::min(oldest_read, page->reads[first + i]);
      }
    if (page->others && newest_read >= limit)
      for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t other = page->others[first + i];
        const bool counts = is_shared || (AccessRecord{other}.flag(kOtherBlockFlag) &&
                                          !AccessRecord{other}.flag(kWriteFlag));
        newest_other = std::max(newest_other, other);
        oldest_other = std::min(oldest_other, counts ? other : 0);
      }
    else if (page->others && writes)
      for (unsigned i = 0; i < count; ++i)
        newest_other = std::max(newest_other, page->others[first + i]);
    if (newest_read >= limit) {
      const bool enough = page->others && !writes && oldest_read >= limit && oldest_other >= limit;
      if (!enough) return false;
    } else {
      if (newest_other >= limit) return false;
      std::uint64_t* const records = page->records(writes ? page->writes : page->reads);
      unsigned lane = first_lane + done / a.bytes;
      for (unsigned i = 0; i < count; ++lane) {
        const std::uint64_t mine = who | std::uint64_t{lane} << AccessRecord::kLaneShift |
                                   (writes ? 0 : std::uint64_t{lane} << 1);
        for (unsigned w = 0; w < words_per_lane && i < count; ++w, ++i) records[first + i] = mine;
      }
      if (writes) {
        page->counted_launch = 0;
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
  if (reader < limit_)
    reader = mine;
  else
    merge_reader<is_shared>(page, index, mine, present.lane);
}

template <bool is_shared>
void RaceCheck::merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane) {
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

template <bool is_shared>
[[gnu::always_inline]] inline void RaceCheck::write(ShadowPage& page, unsigned index,
                                                    std::uint64_t mine, const Present& present) {
  const AccessRecord writer{page.writes[index]};
  bool keep_writer = false;
  if (writer.bits >= limit_ && !is_mine(writer, present.lane)) {
    compare(writer, writer.lane(), true, present, page);
    keep_writer = present.access->kind == AccessKind::atomic && writer.flag(kAtomicFlag) &&
                  !before(writer, writer.lane(), present.lane);
  }
  // A plain write stays one, though the same thread goes on with atomic operations.
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
    // Atomic operations on one word follow one another: who made the newest has seen the others.
    const bool is_seen = other.flag(kWriteFlag) && other.flag(kAtomicFlag) &&
                         writer.flag(kAtomicFlag) && is_mine(writer, present.lane);
    if (!is_seen) compare(other, other.lane(), other.flag(kWriteFlag), present, page);
    if (!keep_writer && !(present.access->kind == AccessKind::atomic && other.flag(kWriteFlag)))
      page.others[index] = 0;
  }
  page.counted_launch = 0;
  if (keep_writer || keep_plain)
    note_other(page, index, writer.bits, writer.segment() < context_.block_first);
  page.writes[index] = mine;
  std::memcpy(&page.values[present.address % kPageBytes],
              reinterpret_cast<const void*>(present.address), present.bytes);
}

// -------------------------------------------------------------------------------------- decisions

void RaceCheck::compare(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
                        const Present& present, ShadowPage& page) {
  if (before(earlier, earlier_lane, present.lane)) return;
  const bool same_warp =
      earlier.segment() >= context_.block_first && earlier.warp() == context_.warp;
  const bool any_atomic =
      present.access->kind == AccessKind::atomic || (earlier_writes && earlier.flag(kAtomicFlag));
  if (present.access->is_strong && earlier.flag(kStrongFlag) && (any_atomic || !same_warp)) return;
  if (earlier_writes && present.access->kind == AccessKind::store && !earlier.flag(kAtomicFlag) &&
      !present.access->is_copy && !copy_of(earlier) &&
      same_data(earlier, earlier_lane, present, page))
    return;
  report(earlier, earlier_lane, earlier_writes, present);
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
  if (!a.befores || a.bytes > sizeof(std::int64_t)) return false;
  if (!is_later && earlier.site() != a.site) return false;
  const unsigned later = is_later ? present.lane : earlier_lane;
  if (!(a.lanes >> later & 1) || a.befores[later] == kNotSeen) return false;
  const std::uintptr_t offset = present.address - a.address(later);
  if (offset >= a.bytes) return false;
  return std::memcmp(reinterpret_cast<const unsigned char*>(&a.befores[later]) + offset, now,
                     present.bytes) == 0;
}

void RaceCheck::report(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
                       const Present& present) {
  const WarpAccess& a = *present.access;
  const bool same_block = earlier.segment() >= context_.block_first;
  const bool same_warp = same_block && earlier.warp() == context_.warp;
  const bool present_writes = a.kind != AccessKind::load;
  const bool one_instruction =
      earlier_writes && earlier.site() == a.site && earlier.segment() == context_.segment;
  const bool waits = copy_of(earlier) != nullptr;  // for a copy, or should
  const char* const scope = waits             ? "copy"
                            : a.is_copy       ? "to copy"
                            : one_instruction ? "at once"
                            : same_warp       ? "warp"
                            : same_block      ? "block"
                                              : "grid";
  const Hazard hazard = !earlier_writes  ? Hazard::race_war
                        : present_writes ? Hazard::race_waw
                                         : Hazard::race_raw;
  const std::uintptr_t program_counter = program_counter_of(a.key);
  const std::string key = fmt::format("{}|{}|{}|{}|{}", static_cast<int>(hazard), scope,
                                      earlier.site(), program_counter, context_.launch->name);
  const bool again = counted_visit_ == visit_ && counted_key_ == key;
  if (count_finding(key, again ? 0 : 1, present.bytes)) {
    counted_visit_ = visit_;
    counted_key_ = key;
    return;
  }
  counted_visit_ = visit_;
  counted_key_ = key;

  const char* const memory = a.is_shared ? "shared" : "global";
  const char* const order = !earlier_writes  ? "write after read"
                            : present_writes ? "write after write"
                                             : "read after write";
  Finding finding = finding_of(hazard);
  if (same_warp && !one_instruction && !waits && !a.is_copy) finding.severity = Severity::warning;
  finding.kernel = context_.launch->name;
  if (waits) {
    finding.title =
        fmt::format("race ({}) in {} memory with a copy that is on its way", order, memory);
    finding.hint =
        "the bytes are there once the phase of the mbarrier is over at which the copy arrives: "
        "wait for it, on every way to this line";
  } else if (a.is_copy) {
    finding.title =
        fmt::format("race ({}) in {} memory: a copy is asked for too early", order, memory);
    finding.hint =
        "the threads that use the bytes must arrive at an mbarrier (or __syncthreads()) "
        "afterwards, and the one that asks for the copy must wait there";
  } else if (one_instruction) {
    finding.title = fmt::format(
        "race ({}) in {} memory: several threads write different values to "
        "one place at once",
        order, memory);
    finding.hint =
        "one of them wins, and which one is undefined: choose one thread, or use an "
        "atomic operation";
  } else if (same_warp) {
    finding.title = fmt::format("race ({}) in {} memory between lanes of one warp", order, memory);
    finding.hint = "lanes of a warp do not run in lockstep: __syncwarp() between the two lines";
  } else if (same_block) {
    finding.title = fmt::format("race ({}) in {} memory between warps of one block", order, memory);
    finding.hint =
        "is there a __syncthreads() between the two lines, on every way from one to the "
        "other, around a loop too?";
  } else {
    finding.title = fmt::format("race ({}) in {} memory between blocks", order, memory);
    finding.hint =
        "blocks run at the same time and in any order: use atomic operations, "
        "__threadfence() and an atomic flag, or a second kernel";
  }
  finding.first =
      context_.culprit(a.is_copy ? "copy" : action_of(a.kind), program_counter, present.lane);
  const char* const action = waits                       ? "copy"
                             : !earlier_writes           ? "read"
                             : earlier.flag(kAtomicFlag) ? "atomic"
                                                         : "write";
  finding.second = context_.culprit(
      action, earlier.site() < context_.sites.size() ? context_.sites[earlier.site()] : 0,
      same_block ? context_.block : context_.block_of(earlier.segment()),
      earlier.warp() * kWarpSize + earlier_lane);
  finding.memory = context_.describe(present.address);
  finding.bytes = present.bytes;
  add_finding(key, std::move(finding));
}

}  // namespace emu
