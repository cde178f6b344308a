#include "engine/check/race_mbarriers.hpp"

#include <bit>
#include <utility>

namespace emu {

void MbarrierOrder::begin_block(std::size_t threads) {
  if (clocks_.size() != threads) clocks_ = std::vector<Clock>(threads);
  if (mbarrier_count_ == 0) return;
  mbarriers_.clear();
  mbarrier_count_ = 0;
  copies_.clear();
  copy_of_segment_.clear();
  block_clock_.clear();
  for (Clock& clock : clocks_) clock.clear();
}

void MbarrierOrder::block_barrier() {
  if (mbarrier_count_ == 0) return;
  for (const Clock& clock : clocks_) block_clock_.join(clock);
  // A barrier says nothing of copies that nobody has waited for.
  for (Copy& copy : copies_)
    if (!knows(block_clock_, copy)) stamp_again(copy);
}

void MbarrierOrder::warp_barrier(unsigned warp, std::uint32_t lanes) {
  if (mbarrier_count_ == 0) return;
  Clock all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) all.join(clocks_[warp * kWarpSize + lane]);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (lanes >> lane & 1) clocks_[warp * kWarpSize + lane] = all;
}

void MbarrierOrder::init(std::uintptr_t barrier) {
  mbarriers_[barrier] = {};
  mbarriers_[barrier].number = mbarrier_count_++;
}

void MbarrierOrder::arrive(unsigned thread, std::uintptr_t barrier,
                           const std::array<std::uint32_t, kWarpSize>& of_lane) {
  Clock& arrived = mbarriers_[barrier].arrived;
  arrived.join(clocks_[thread]);
  for (unsigned other = 0; other < kWarpSize; ++other)
    arrived.raise(thread / kWarpSize * kWarpSize + other, of_lane[other]);
  arrived.raise(thread, context_.segment);
}

void MbarrierOrder::end_phase(std::uintptr_t barrier, unsigned parity) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  mbarrier.over[parity] = mbarrier.arrived;
}

void MbarrierOrder::waited(unsigned thread, std::uintptr_t barrier, unsigned parity) {
  clocks_[thread].join(mbarriers_[barrier].over[parity]);
}

void MbarrierOrder::begin_copy(const WarpAccess& write, std::uintptr_t barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  const auto lane = static_cast<unsigned>(std::countr_zero(write.lanes));
  copies_.push_back({++context_.segment, mbarrier.number, ++mbarrier.requested, write.address(lane),
                     write.bytes});
}

void MbarrierOrder::end_copy() {
  copy_of_segment_.resize(context_.segment - context_.block_first + 1);
  copy_of_segment_.back() = static_cast<std::uint32_t>(copies_.size());
  ++context_.segment;
}

void MbarrierOrder::made_copy(std::uintptr_t barrier) {
  Mbarrier& mbarrier = mbarriers_[barrier];
  mbarrier.arrived.raise(clocks_.size() + mbarrier.number, ++mbarrier.made);
}

/// Makes the copy's records as new as the present.
void MbarrierOrder::stamp_again(Copy& copy) {
  const std::uint32_t before = copy.segment;
  copy.segment = ++context_.segment;
  copy_of_segment_.resize(copy.segment - context_.block_first + 1);
  copy_of_segment_.back() = std::exchange(copy_of_segment_[before - context_.block_first], 0);
  constexpr std::uint64_t kRest = (std::uint64_t{1} << AccessRecord::kSegmentShift) - 1;
  for (std::uintptr_t at = copy.begin; at < copy.begin + copy.bytes;) {
    ShadowPage& page = *context_.find_page(at, true);
    std::uint64_t& record = page.writes[at % kPageBytes >> page.shift];
    if (AccessRecord{record}.segment() == before)
      record = AccessRecord::first_of(copy.segment) | (record & kRest);
    at += std::uintptr_t{1} << page.shift;
  }
}

}  // namespace emu
