#include "engine/check/race_mbarriers.hpp"

#include <algorithm>
#include <bit>

#include "engine/check/checked_block.hpp"

namespace emu {

void MbarrierOrder::begin(CheckContext& context) {
  context_ = &context;
  const std::size_t threads = std::size_t{context.ranks} * context.threads_of_block;
  if (clocks_.size() != threads) clocks_ = std::vector<Clock>(threads);
  block_clocks_.resize(context.ranks);
  if (!is_used_) return;
  is_used_ = false;
  mbarriers_.clear();
  of_cluster_ = {};
  mbarrier_count_ = 0;
  copies_.clear();
  copy_of_segment_.clear();
  for (Clock& clock : block_clocks_) clock.clear();
  for (Clock& clock : clocks_) clock.clear();
}

void MbarrierOrder::block_barrier(const CheckedBlock& block) {
  if (!is_used_) return;
  for (unsigned thread = 0; thread < context_->threads_of_block; ++thread)
    block_clocks_[block.rank].join(clocks_[index({block.rank, thread})]);
  restamp_pending_copies(block);
}

void MbarrierOrder::restamp_pending_copies(const CheckedBlock& block) {
  for (Copy& copy : copies_)
    if (copy.block == &block && !knows(block_clocks_[block.rank], copy)) stamp_again(copy);
}

void MbarrierOrder::forget_copies(const CheckedBlock& block) {
  for (Copy& copy : copies_)
    if (copy.block == &block) copy.block = nullptr;
}

void MbarrierOrder::warp_barrier(unsigned rank, unsigned warp, std::uint32_t lanes) {
  if (!is_used_) return;
  const std::size_t first = index({rank, warp * kWarpSize});
  Clock all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) all.join(clocks_[first + lane]);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) clocks_[first + lane] = all;
}

void MbarrierOrder::init(Key barrier) {
  is_used_ = true;
  mbarriers_[barrier] = {};
  mbarriers_[barrier].number = mbarrier_count_++;
}

/// Adds to `arrived` what the thread knows, and what it has done itself.
void MbarrierOrder::join(Clock& arrived, ClusterThread thread, const Arrival& arrival) {
  is_used_ = true;
  arrived.join(clocks_[index(thread)]);
  arrived.join(block_clocks_[thread.rank]);
  arrived.raise(thread.rank, arrival.of_block);
  const std::size_t first =
      context_->clock_of_thread(thread.rank, thread.thread / kWarpSize * kWarpSize);
  for (unsigned other = 0; other < kWarpSize; ++other)
    arrived.raise(first + other, arrival.of_lane[other]);
  arrived.raise(context_->clock_of_thread(thread.rank, thread.thread), context_->segment);
}

void MbarrierOrder::arrive(ClusterThread thread, Key barrier, const Arrival& arrival) {
  join(mbarriers_[barrier].arrived, thread, arrival);
}

void MbarrierOrder::end_phase(Key barrier, unsigned parity) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  mbarrier.over[parity] = mbarrier.arrived;
}

void MbarrierOrder::waited(ClusterThread thread, Key barrier, unsigned parity) {
  clocks_[index(thread)].join(mbarriers_[barrier].over[parity]);
}

void MbarrierOrder::arrive_at_cluster(ClusterThread thread, const Arrival& arrival) {
  join(of_cluster_.arrived, thread, arrival);
}

void MbarrierOrder::end_cluster_phase(const std::vector<ClusterThread>& exited) {
  for (const ClusterThread& one : exited)
    of_cluster_.arrived.raise(context_->clock_of_thread(one.rank, one.thread),
                              context_->segment + 1);
  of_cluster_.over[0] = of_cluster_.arrived;
}

void MbarrierOrder::waited_for_cluster(ClusterThread thread) {
  clocks_[index(thread)].join(of_cluster_.over[0]);
}

void MbarrierOrder::begin_copy(const WarpAccess& write, CheckedBlock& target, Key barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  const auto lane = static_cast<unsigned>(std::countr_zero(write.lanes));
  copies_.push_back({++context_->segment, mbarrier.number, ++mbarrier.requested, &target,
                     write.address(lane) + write.to_own_address, write.bytes});
  stamp(static_cast<std::uint32_t>(copies_.size() - 1));
}

void MbarrierOrder::stamp(std::uint32_t copy) {
  if (copy_of_segment_.empty()) first_copy_segment_ = context_->segment;
  copy_of_segment_.resize(context_->segment - first_copy_segment_ + 1, kNoCopy);
  copy_of_segment_.back() = copy;
}

void MbarrierOrder::end_copy() { ++context_->segment; }

void MbarrierOrder::made_copy(Key barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  mbarrier.arrived.raise(context_->clock_of_copies(mbarrier.number), ++mbarrier.made);
}

bool MbarrierOrder::knows(ClusterThread thread, const Copy& copy) const {
  return knows(clocks_[index(thread)], copy) || knows(block_clocks_[thread.rank], copy);
}

bool MbarrierOrder::knows(ClusterThread thread, ClusterThread other, std::uint32_t segment) const {
  return is_used_ && (knows(clocks_[index(thread)], other, segment) ||
                      knows(block_clocks_[thread.rank], other, segment));
}

bool MbarrierOrder::any_knows(unsigned rank, ClusterThread other, std::uint32_t segment) const {
  for (unsigned thread = 0; thread < context_->threads_of_block; ++thread)
    if (knows({rank, thread}, other, segment)) return true;
  return false;
}

/// Gives the records of the copy a new, current segment.
void MbarrierOrder::stamp_again(Copy& copy) {
  const std::uint32_t before = copy.segment;
  copy_of_segment_[before - first_copy_segment_] = kNoCopy;
  copy.segment = ++context_->segment;
  stamp(static_cast<std::uint32_t>(&copy - copies_.data()));
  constexpr std::uint64_t kRest = (std::uint64_t{1} << AccessRecord::kSegmentShift) - 1;
  for (std::uintptr_t at = copy.begin; at < copy.begin + copy.bytes;) {
    ShadowPage& page = *copy.block->shared.find(at);
    std::uint64_t& record = page.writes[at % kPageBytes >> page.shift];
    if (AccessRecord{record}.segment() == before)
      record = AccessRecord::first_of(copy.segment) | (record & kRest);
    page.newest_write = copy.segment;
    at += std::uintptr_t{1} << page.shift;
  }
}

}  // namespace emu
