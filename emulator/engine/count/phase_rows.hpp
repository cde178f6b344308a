/// @file
/// The requests of a warp's phase (*rows*), and the lanes that take part in each.
///
/// The lanes of a warp run one after the other between synchronisations (a *phase*). The first lane
/// to make an access writes a row: instruction and address. The next lanes are expected to make the
/// same accesses in the same order: to follow the *common path*. A lane that makes another access
/// leaves the common path for the rest of the phase. It finds its rows by instruction, rounds of
/// the loops around it, and occurrence. The result does not depend on the order in which lanes run.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/count/row_index.hpp"
#include "engine/count/site.hpp"

namespace emu {

class PhaseRows {
 public:
  explicit PhaseRows(const Spaces& spaces) : common_(1), spaces_(spaces) {}

  void begin();
  void begin_lane(unsigned lane) {
    hot.lane = lane;
    hot.cursor = common_.data();
  }
  void end_lane();
  void end();
  /// Sets whether the order of accesses off the common path is kept.
  void keep_order(bool keep) { keeps_order_ = keep; }
  /// Returns a number that identifies the phase.
  std::uint64_t number() const { return number_; }

  // About the running lane.
  bool lane_made_access() const { return hot.cursor != common_.data(); }
  bool is_off_path() const { return off_path_; }
  /// Returns the next row on the common path if it belongs to `request`, else null.
  Row* next(std::uintptr_t request) {
    const bool is_it =
        position() < rows_ && (hot.cursor->key == request || hot.cursor->key == ~request);
    return is_it ? hot.cursor : nullptr;
  }
  /// Returns whether the running lane may append a row to the common path.
  bool may_append() const { return position() == rows_ && !indexed_; }
  bool is_full() const { return rows_ == kMostRows; }
  void append(const Row& row) {
    if (rows_ + 1 == common_.size()) common_.resize(2 * common_.size());
    common_[rows_++] = row;
    common_[rows_].key = 0;
    hot.cursor = common_.data() + rows_;
  }
  void leave_common_path();
  bool side_is_full() const { return side_.size() == kMostRows; }
  /// Returns the row of an access off the common path; makes one with base `address` if there is
  /// none.
  Row& off_path_row(std::uintptr_t request, AccessSite& site, std::uintptr_t address);

  /// Returns new addresses for a single row, without lanes; the offsets are not initialised.
  RowAddresses& new_addresses();
  /// Returns the row's own addresses, into which a lane's unpredicted address is written. Makes
  /// them if the row still uses its pattern's.
  RowAddresses& own_addresses(Row& row) {
    if (row.addresses->is_own) return *row.addresses;
    RowAddresses& own = new_addresses();
    own.offsets = row.addresses->offsets;
    row.addresses = &own;
    return own;
  }

  // After the phase has ended.
  AccessSpace space_of(const Row& row, std::uint32_t lanes) const {
    return spaces_.of(row.address(static_cast<unsigned>(std::countr_zero(lanes))));
  }
  /// Calls visit(space, lanes) for each address space of the row's lanes. There is more than one
  /// only if some lanes access their own block's shared memory and some that of other blocks.
  template <class Visit>
  void each_space(const Row& row, std::uint32_t lanes, Visit&& visit) const {
    while (lanes != 0) {
      const AccessSpace space = space_of(row, lanes);
      std::uint32_t together = lanes;
      if (spaces_.may_mix())
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
          if (space_of(row, left) != space) together &= ~(left & (~left + 1));
      visit(space, together);
      lanes &= ~together;
    }
  }
  /// Calls visit(row, lanes) for every row.
  template <class Visit>
  void each_row(Visit&& visit) {
    for (std::size_t i = 0; i < rows_; ++i) visit(common_[i], lanes_of(i));
    for (Row& row : side_) visit(row, row.addresses->lanes);
  }
  /// Calls visit(row, lanes) for every row that only lanes off the common path have made.
  template <class Visit>
  void each_side_row(Visit&& visit) const {
    for (const Row& row : side_) visit(row, row.addresses->lanes);
  }
  /// Calls visit(row, lanes) for rows of the common path, then visit(row, lane) for each access off
  /// it; accesses of each lane are in the lane's order.
  template <class Visit>
  void each_access(Visit&& visit) const {
    for (std::size_t i = 0; i < rows_; ++i) visit(common_[i], lanes_on_path(i));
    for (const OffPathAccess& one : off_path_order_) visit(row_at(one.row), 1u << one.lane);
  }
  /// Calls visit(row, lanes) for every row, in program order.
  template <class Visit>
  void each_request(Visit&& visit) const {
    for (const std::uint32_t index : in_program_order()) {
      const bool is_side = (index & kSideFlag) != 0;
      visit(row_at(index), is_side ? row_at(index).addresses->lanes : lanes_of(index));
    }
  }

 private:
  // 512 KiB, so that the rows of a phase stay in the L2 cache
  static constexpr std::size_t kMostRows = 16384;
  static constexpr std::uint32_t kSideFlag = 1u << 31;  // flag in a row's index: it is in side_

  struct OffPathAccess {
    std::uint32_t lane;
    std::uint32_t row;
  };

  std::size_t position() const { return static_cast<std::size_t>(hot.cursor - common_.data()); }
  const Row& row_at(std::uint32_t index) const {
    return index & kSideFlag ? side_[index & ~kSideFlag] : common_[index];
  }
  bool has_made(std::uint32_t row) const;
  /// Returns the lanes that made the row's request on the common path: all of them below row
  /// `fewest_`.
  std::uint32_t lanes_on_path(std::size_t row) const {
    if (row < fewest_) return lanes_run_;
    std::uint32_t lanes = 0;
    for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (followed_[lane] > row) lanes |= 1u << lane;
    }
    return lanes;
  }
  /// Returns all lanes that made the row's request, on the common path or off it.
  std::uint32_t lanes_of(std::size_t row) const {
    const RowAddresses& addresses = *common_[row].addresses;
    return lanes_on_path(row) | (addresses.is_own ? addresses.lanes : 0);
  }
  std::vector<std::uint32_t> in_program_order() const;

  std::vector<Row> common_;  // rows of the common path, then one with key 0
  std::size_t rows_ = 0;
  std::vector<Row> side_;  // rows that only lanes off the common path have made
  // [lane], number of its rows on the common path
  std::array<std::uint32_t, kWarpSize> followed_{};
  std::uint32_t lanes_run_ = 0, fewest_ = 0;
  std::uint64_t number_ = 1;

  bool indexed_ = false;  // some lane has left the common path, and index_ is filled
  RowIndex index_;
  bool off_path_ = false;  // the running lane has left the common path
  std::size_t left_path_at_ = 0;
  bool keeps_order_ = false;
  std::vector<OffPathAccess> off_path_order_;

  static constexpr std::size_t kAddressesPerChunk = 256;
  std::vector<std::unique_ptr<RowAddresses[]>> chunks_;
  std::uint32_t addresses_used_ = 0;
  const Spaces& spaces_;
};

}  // namespace emu
