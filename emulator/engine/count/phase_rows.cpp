#include "engine/count/phase_rows.hpp"

#include <algorithm>
#include <limits>
#include <list>
#include <unordered_map>

namespace emu {

__thread HotState hot;
__thread std::uint64_t round_path;

Row never_row{1, 0, nullptr, nullptr};  // 1 is no instruction's key

void PhaseRows::begin() {
  rows_ = 0;
  common_[0].key = 0;
  side_.clear();
  lanes_run_ = 0;
  // Reset here as well, because the last phase may have ended with its kernel.
  indexed_ = off_path_ = false;
  addresses_used_ = 0;
  off_path_order_.clear();
  ++number_;
}

void PhaseRows::end_lane() {
  followed_[hot.lane] = static_cast<std::uint32_t>(off_path_ ? left_path_at_ : position());
  lanes_run_ |= 1u << hot.lane;
  off_path_ = false;
  hot.cursor = nullptr;
}

void PhaseRows::end() {
  fewest_ = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1)
    fewest_ = std::min(fewest_, followed_[static_cast<unsigned>(std::countr_zero(left))]);
}

void PhaseRows::leave_common_path() {
  left_path_at_ = position();
  if (!indexed_) {
    indexed_ = true;
    index_.clear();
    for (std::size_t i = 0; i < rows_; ++i)
      index_.add(common_[i].request(), static_cast<std::uint32_t>(i));
  }
  off_path_ = true;
  hot.cursor = &never_row;
}

Row& PhaseRows::off_path_row(std::uintptr_t request, AccessSite& site, std::uintptr_t address) {
  const std::uint64_t stamp = number_ * kWarpSize + hot.lane;
  if (site.lane_stamp != stamp || site.lane_request != request) {
    site.lane_stamp = stamp;
    site.lane_request = request;
    site.lane_occurrence = 0;
    for (const std::uint32_t* row;
         (row = index_.find(request, site.lane_occurrence)) != nullptr && has_made(*row);)
      ++site.lane_occurrence;
  }
  const std::uint32_t* const known = index_.find(request, site.lane_occurrence++);
  const std::uint32_t index = known ? *known : kSideFlag | static_cast<std::uint32_t>(side_.size());
  if (!known) {
    index_.add(request, index);
    side_.push_back({request, address, &new_addresses(), &site});
  }
  if (keeps_order_) off_path_order_.push_back({hot.lane, index});
  return index & kSideFlag ? side_[index & ~kSideFlag] : common_[index];
}

/// Returns whether the running lane, which is off the common path, has made the row's request.
bool PhaseRows::has_made(std::uint32_t row) const {
  if ((row & kSideFlag) == 0 && row < left_path_at_) return true;
  const RowAddresses& addresses = *row_at(row).addresses;
  return addresses.is_own && addresses.has(hot.lane);
}

RowAddresses& PhaseRows::new_addresses() {
  const std::size_t chunk = addresses_used_ / kAddressesPerChunk;
  if (chunk == chunks_.size())
    chunks_.push_back(std::make_unique<RowAddresses[]>(kAddressesPerChunk));
  RowAddresses& addresses = chunks_[chunk][addresses_used_ % kAddressesPerChunk];
  addresses.lanes = 0;
  addresses.number = addresses_used_++;
  addresses.is_own = true;
  addresses.reports_each_lane = false;
  return addresses;
}

/// Returns the indices of all rows in an order that does not depend on the order in which lanes
/// ran. Goes lane by lane: rows that no lane before has made are inserted before the next row that
/// the lane shares with them.
std::vector<std::uint32_t> PhaseRows::in_program_order() const {
  std::list<std::uint32_t> order;
  std::unordered_map<std::uint32_t, std::list<std::uint32_t>::iterator> places;
  for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    std::vector<std::uint32_t> fresh;
    const auto insert_fresh = [&](std::list<std::uint32_t>::iterator before) {
      for (const std::uint32_t row : fresh) places[row] = order.insert(before, row);
      fresh.clear();
    };
    const auto pass = [&](std::uint32_t row) {
      const auto known = places.find(row);
      if (known == places.end())
        fresh.push_back(row);
      else
        insert_fresh(known->second);
    };
    for (std::uint32_t row = 0; row < followed_[lane]; ++row) pass(row);
    for (const OffPathAccess& access : off_path_order_)
      if (access.lane == lane) pass(access.row);
    insert_fresh(order.end());
  }
  return {order.begin(), order.end()};
}

}  // namespace emu
