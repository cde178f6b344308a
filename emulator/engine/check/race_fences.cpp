#include "engine/check/race_fences.hpp"

#include <algorithm>
#include <utility>

#include "engine/check/checked_block.hpp"

namespace emu {

void FenceOrder::begin_launch() {
  meetings_.clear();
  all_meetings_.clear();
  any_fence_ = false;
}

void FenceOrder::begin_block(OfBlock& block, std::size_t threads) const {
  if (block.threads.size() != threads) block.threads = std::vector<Thread>(threads);
  forget(block);
}

void FenceOrder::forget(OfBlock& block) {
  if (!block.is_used) return;
  block.is_used = false;
  block.known.clear();
  block.release.reset();
  for (Thread& thread : block.threads) thread = {};
  block.meetings.clear();
  block.mbarriers.clear();
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

void FenceOrder::block_barrier(OfBlock& block) {
  if (!any_fence_) return;
  for (Thread& thread : block.threads) {
    learn(block.known, thread.known);
    thread.known.clear();
  }
  release_block(block);
}

/// Combines the fences of all threads before a block barrier: writes of any thread behind the
/// barrier come after all of these fences.
void FenceOrder::release_block(OfBlock& block) {
  Release all;
  Clock clock;
  const unsigned rank = context_.now->rank;
  for (unsigned t = 0; t < block.threads.size(); ++t) {
    const Release* const fence = block.threads[t].fence.get();
    if (!fence || fence->scope != FenceScope::device) continue;
    all.block_since = std::max(all.block_since, fence->block_since);
    const unsigned first = t / kWarpSize * kWarpSize;
    for (unsigned other = 0; other < kWarpSize; ++other)
      clock.raise(context_.clock_of_thread(rank, first + other), fence->of_lane[other]);
    clock.raise(context_.clock_of_thread(rank, t), fence->upto);
    if (fence->clock) clock.join(*fence->clock);
  }
  if (clock.empty()) return;
  constexpr unsigned kNoWarp = ~0u;
  all.block = context_.block();
  all.warp = kNoWarp;
  all.clock = std::make_shared<const Clock>(std::move(clock));
  block.release = std::make_unique<Release>(std::move(all));
}

void FenceOrder::warp_barrier(OfBlock& block, unsigned warp, std::uint32_t lanes) const {
  if (!any_fence_) return;
  AllKnowledge all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) learn(all, block.threads[warp * kWarpSize + lane].known);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) block.threads[warp * kWarpSize + lane].known = all;
}

void FenceOrder::fence(unsigned thread, FenceScope scope,
                       const std::array<std::uint32_t, kWarpSize>& of_lane, const Clock& clock) {
  any_fence_ = true;
  CheckedBlock& block = *context_.now;
  block.fences.is_used = true;
  auto release = std::make_unique<Release>();
  release->block = block.linear;
  release->warp = thread / kWarpSize;
  release->lane = thread % kWarpSize;
  release->scope = scope;
  release->block_since = block.since;
  release->upto = context_.segment;
  release->of_lane = of_lane;
  if (!clock.empty()) release->clock = std::make_shared<const Clock>(clock);
  Thread& self = block.fences.threads[thread];
  self.fence = std::move(release);
  AllKnowledge acquired = self.read_but_not_acquired;
  for (Knowledge& one : acquired) one.scope = scope;
  learn(self.known, acquired);
  // Kept for a block-scope fence, because a wider one may follow.
  if (scope == FenceScope::device) self.read_but_not_acquired.clear();
}

FenceOrder::Meeting* FenceOrder::find_meeting(std::uintptr_t address) const {
  const SharedAddress shared = context_.shared_address(address);
  const Meetings& meetings = shared.block ? shared.block->fences.meetings : meetings_;
  const auto found = meetings.find(shared.block ? shared.address : address);
  return found == meetings.end() ? nullptr : found->second;
}

FenceOrder::Meeting& FenceOrder::meeting_at(std::uintptr_t address) {
  const SharedAddress shared = context_.shared_address(address);
  if (shared.block) shared.block->fences.is_used = true;
  Meetings& meetings = shared.block ? shared.block->fences.meetings : meetings_;
  Meeting*& meeting = meetings[shared.block ? shared.address : address];
  if (!meeting) meeting = &all_meetings_.emplace_back();
  return *meeting;
}

bool FenceOrder::orders(unsigned thread, std::uintptr_t address, bool writes) const {
  if (!any_fence_) return false;
  const OfBlock& block = context_.now->fences;
  return (writes && (block.threads[thread].fence || block.release)) || find_meeting(address);
}

void FenceOrder::add_release(Meeting& meeting, const Release& release) const {
  auto& releases = meeting.of_cluster[context_.now->cluster->number];
  releases.push_back(release);
  releases.back().number = meeting.releases++;
}

void FenceOrder::synchronise(unsigned thread, std::uintptr_t address, bool reads, bool writes) {
  OfBlock& block = context_.now->fences;
  block.is_used = true;
  Thread& self = block.threads[thread];
  if (const Meeting* const met = reads ? find_meeting(address) : nullptr) {
    AllKnowledge all = met->known;
    all.push_back({met, met->releases, FenceScope::device});
    for (Knowledge& one : all) one.scope = FenceScope::device;
    learn(self.read_but_not_acquired, all);
  }
  if (!writes || !(self.fence || block.release)) return;
  Meeting& meeting = meeting_at(address);
  if (self.fence) add_release(meeting, *self.fence);
  if (block.release && !(self.fence && self.fence->block_since == context_.now->since))
    add_release(meeting, *block.release);
  AllKnowledge known = block.known;
  learn(known, self.known);
  std::erase_if(known, [&](const Knowledge& k) { return k.meeting == &meeting; });
  learn(meeting.known, known);
}

void FenceOrder::init_mbarrier(SharedAddress barrier) const {
  barrier.block->fences.mbarriers.erase(barrier.address);
}

void FenceOrder::arrive(unsigned thread, SharedAddress barrier) const {
  if (!any_fence_) return;
  barrier.block->fences.is_used = true;
  learn(barrier.block->fences.mbarriers[barrier.address],
        context_.now->fences.threads[thread].known);
}

void FenceOrder::waited(unsigned thread, SharedAddress barrier) const {
  if (!any_fence_) return;
  context_.now->fences.is_used = true;
  learn(context_.now->fences.threads[thread].known,
        barrier.block->fences.mbarriers[barrier.address]);
}

void FenceOrder::arrive_at_cluster(unsigned thread) const {
  if (!any_fence_) return;
  AllKnowledge& arrived = context_.now->cluster->fences.arrived;
  learn(arrived, context_.now->fences.known);
  learn(arrived, context_.now->fences.threads[thread].known);
}

void FenceOrder::waited_for_cluster(unsigned thread) const {
  if (!any_fence_) return;
  context_.now->fences.is_used = true;
  learn(context_.now->fences.threads[thread].known, context_.now->cluster->fences.arrived);
}

bool FenceOrder::covers(unsigned thread, AccessRecord record, unsigned record_lane) const {
  if (!any_fence_) return false;
  const OfBlock& block = context_.now->fences;
  std::vector<const Meeting*> visited;
  return covered(block.threads[thread].known, record, record_lane, visited) ||
         covered(block.known, record, record_lane, visited);
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

/// Returns whether the access happens before one of the known releases. Only releases of its own
/// block, or of blocks of its cluster, qualify.
bool FenceOrder::releases_before(const Knowledge& known, AccessRecord record,
                                 unsigned record_lane) const {
  const std::uint32_t segment = record.segment();
  const CheckContext::Stay& stay = context_.stay_of(segment);
  const auto releases = known.meeting->of_cluster.find(stay.cluster);
  if (releases == known.meeting->of_cluster.end()) return false;
  const std::size_t thread =
      context_.clock_of_thread(stay.rank, record.warp() * kWarpSize + record_lane);
  return std::any_of(releases->second.begin(), releases->second.end(), [&](const Release& release) {
    if (release.number >= known.releases) return false;
    const bool reaches_a_block =
        release.scope == FenceScope::block || known.scope == FenceScope::block;
    if (reaches_a_block && release.block != context_.block()) return false;
    if (release.clock && segment < std::max((*release.clock)[stay.rank], (*release.clock)[thread]))
      return true;
    if (release.block != stay.block) return false;
    if (segment < release.block_since) return true;
    if (release.warp != record.warp()) return false;
    return segment < (record_lane == release.lane ? release.upto : release.of_lane[record_lane]);
  });
}

}  // namespace emu
