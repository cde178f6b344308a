#include "engine/check/race_fences.hpp"

#include <algorithm>
#include <utility>

namespace emu {

void FenceOrder::begin_launch() {
  if (any_fence_) {
    forget_block();
    meetings_.clear();
  }
  any_fence_ = false;
}

void FenceOrder::begin_block(std::size_t threads) {
  if (threads_.size() != threads) threads_ = std::vector<Thread>(threads);
  if (any_fence_) forget_block();
}

void FenceOrder::forget_block() {
  block_known_.clear();
  block_release_.reset();
  for (Thread& thread : threads_) thread = {};
  shared_meetings_.clear();
  mbarriers_.clear();
}

void FenceOrder::learn(AllKnowledge& to, const AllKnowledge& from) {
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

void FenceOrder::block_barrier() {
  if (!any_fence_) return;
  for (Thread& thread : threads_) {
    learn(block_known_, thread.known);
    thread.known.clear();
  }
  release_block();
}

/// Each thread's fence, then the barrier: what any of them writes from now on is after them all.
void FenceOrder::release_block() {
  Release all;
  Clock clock;
  for (unsigned t = 0; t < threads_.size(); ++t) {
    const Release* const fence = threads_[t].fence.get();
    if (!fence || fence->scope != FenceScope::device) continue;
    all.block_since = std::max(all.block_since, fence->block_since);
    for (unsigned other = 0; other < kWarpSize; ++other)
      clock.raise(t / kWarpSize * kWarpSize + other, fence->of_lane[other]);
    clock.raise(t, fence->upto);
    if (fence->clock) clock.join(*fence->clock);
  }
  if (clock.empty()) return;
  constexpr unsigned kNoWarp = ~0u;
  all.block = context_.block;
  all.warp = kNoWarp;
  all.block_first = context_.block_first;
  all.clock = std::make_shared<const Clock>(std::move(clock));
  block_release_ = std::make_unique<Release>(std::move(all));
}

void FenceOrder::warp_barrier(unsigned warp, std::uint32_t lanes) {
  if (!any_fence_) return;
  AllKnowledge all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) learn(all, threads_[warp * kWarpSize + lane].known);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) threads_[warp * kWarpSize + lane].known = all;
}

void FenceOrder::fence(unsigned thread, FenceScope scope,
                       const std::array<std::uint32_t, kWarpSize>& of_lane, const Clock& clock) {
  any_fence_ = true;
  auto release = std::make_unique<Release>();
  release->block = context_.block;
  release->warp = thread / kWarpSize;
  release->lane = thread % kWarpSize;
  release->scope = scope;
  release->block_first = context_.block_first;
  release->block_since = context_.block_since;
  release->upto = context_.segment;
  release->of_lane = of_lane;
  if (!clock.empty()) release->clock = std::make_shared<const Clock>(clock);
  Thread& self = threads_[thread];
  self.fence = std::move(release);
  AllKnowledge acquired = self.seen;
  for (Knowledge& one : acquired) one.scope = scope;
  learn(self.known, acquired);
  if (scope == FenceScope::device) self.seen.clear();  // else a wider fence may follow
}

bool FenceOrder::orders(unsigned thread, std::uintptr_t address, bool writes) const {
  if (!any_fence_) return false;
  if (writes && (threads_[thread].fence || block_release_)) return true;
  return meetings_.contains(address) || shared_meetings_.contains(address);
}

void FenceOrder::synchronise(unsigned thread, std::uintptr_t address, bool is_shared, bool reads,
                             bool writes) {
  Meetings& meetings = is_shared ? shared_meetings_ : meetings_;
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

void FenceOrder::arrive(unsigned thread, std::uintptr_t barrier) {
  if (any_fence_) learn(mbarriers_[barrier], threads_[thread].known);
}

void FenceOrder::waited(unsigned thread, std::uintptr_t barrier) {
  if (any_fence_) learn(threads_[thread].known, mbarriers_[barrier]);
}

bool FenceOrder::covers(unsigned thread, AccessRecord record, unsigned record_lane) const {
  if (!any_fence_) return false;
  std::vector<const Meeting*> visited;
  return covered(threads_[thread].known, record, record_lane, visited) ||
         covered(block_known_, record, record_lane, visited);
}

bool FenceOrder::covered(const AllKnowledge& known, AccessRecord record, unsigned record_lane,
                         std::vector<const Meeting*>& visited) const {
  for (const Knowledge& one : known) {
    if (releases_before(one, record, record_lane)) return true;
    if (std::find(visited.begin(), visited.end(), one.meeting) != visited.end()) continue;
    visited.push_back(one.meeting);
    if (covered(one.meeting->known, record, record_lane, visited)) return true;
  }
  return false;
}

/// Whether one of the releases that are known was behind the access. Only those of the last block
/// that has released there by the time of the access can be.
bool FenceOrder::releases_before(const Knowledge& known, AccessRecord record,
                                 unsigned record_lane) const {
  const std::uint32_t segment = record.segment();
  const std::vector<Release>& releases = known.meeting->releases;
  auto release = std::upper_bound(
      releases.begin(), releases.begin() + static_cast<std::ptrdiff_t>(known.releases), segment,
      [](std::uint32_t s, const Release& r) { return s < r.block_first; });
  const std::uint32_t block_first =
      release == releases.begin() ? 0 : std::prev(release)->block_first;
  while (release != releases.begin()) {
    --release;
    if (release->block_first != block_first) break;
    const bool reaches_a_block =
        release->scope == FenceScope::block || known.scope == FenceScope::block;
    if (reaches_a_block && release->block != context_.block) continue;
    if (segment < release->block_since) return true;
    const std::size_t thread = record.warp() * kWarpSize + record_lane;
    if (release->clock && segment < (*release->clock)[thread]) return true;
    if (release->warp != record.warp()) continue;
    if (segment < (record_lane == release->lane ? release->upto : release->of_lane[record_lane]))
      return true;
  }
  return false;
}

}  // namespace emu
