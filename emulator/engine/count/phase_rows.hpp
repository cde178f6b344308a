/// @file
/// The rows of a warp's phase, and which lanes were where.
///
/// Lanes run one after the other between synchronisations (a *phase*). The first lane to make an
/// access writes a row: which instruction, which address. The lanes after it are expected to make
/// the same accesses in the same order: they follow the *common path*. A lane that takes another
/// one is *apart* from there on, and finds its rows by (instruction, rounds of the loops around it,
/// occurrence). Lanes' order does not matter.
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
  /// Keeps the order in which lanes off the common path make their accesses.
  void keep_order(bool keep) { keeps_order_ = keep; }
  /// Of this phase; no other has the same one.
  std::uint64_t number() const { return number_; }

  // Of the running lane.
  bool lane_made_access() const { return hot.cursor != common_.data(); }
  bool is_apart() const { return apart_; }
  /// The row that is next on the common path, if it is of this request; else null.
  Row* next(std::uintptr_t request) {
    const bool is_it =
        position() < rows_ && (hot.cursor->key == request || hot.cursor->key == ~request);
    return is_it ? hot.cursor : nullptr;
  }
  /// Whether the common path may go on with a row of this lane's.
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
  /// The row of a lane that is apart, or a new one, whose base is `address`.
  Row& row_apart(std::uintptr_t request, Site& site, std::uintptr_t address);

  /// Addresses for a row of its own: of no lanes, and whatever the offsets were.
  RowAddresses& new_addresses();
  /// The row's own addresses, where the lane's is to be put: it is not where it was expected.
  RowAddresses& own_addresses(Row& row) {
    if (row.addresses->is_own) return *row.addresses;
    RowAddresses& own = new_addresses();
    own.offsets = row.addresses->offsets;
    row.addresses = &own;
    return own;
  }

  // When the phase is over.
  AccessSpace space_of(const Row& row, std::uint32_t lanes) const {
    return spaces_.of(row.address(static_cast<unsigned>(std::countr_zero(lanes))));
  }
  /// Calls visit(space, lanes) for each kind of memory that these lanes of a row are in: one,
  /// unless some of them are in their own block's shared memory and some in that of others.
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
  /// The same for the rows that only lanes off the common path made.
  template <class Visit>
  void each_side_row(Visit&& visit) const {
    for (const Row& row : side_) visit(row, row.addresses->lanes);
  }
  /// Calls visit(row, lanes) for what lanes did together, each lane's accesses in its own order.
  template <class Visit>
  void each_access(Visit&& visit) const {
    for (std::size_t i = 0; i < rows_; ++i) visit(common_[i], lanes_on_path(i));
    for (const ApartAccess& one : apart_order_) visit(row_at(one.row), 1u << one.lane);
  }
  /// Calls visit(row, lanes) for every row, in the order of the program.
  template <class Visit>
  void each_request(Visit&& visit) const {
    for (const std::uint32_t index : in_program_order()) {
      const bool is_side = (index & kSide) != 0;
      visit(row_at(index), is_side ? row_at(index).addresses->lanes : lanes_of(index));
    }
  }

 private:
  static constexpr std::size_t kMostRows = 16384;   // 512 KiB: the rows of a phase stay in L2
  static constexpr std::uint32_t kSide = 1u << 31;  // in the index of a row in side_

  struct ApartAccess {
    std::uint32_t lane;
    std::uint32_t row;
  };

  std::size_t position() const { return static_cast<std::size_t>(hot.cursor - common_.data()); }
  const Row& row_at(std::uint32_t index) const {
    return index & kSide ? side_[index & ~kSide] : common_[index];
  }
  bool has_made(std::uint32_t row) const;
  /// The lanes that came to a row on the common path; all do up to row `fewest_`.
  std::uint32_t lanes_on_path(std::size_t row) const {
    if (row < fewest_) return lanes_run_;
    std::uint32_t lanes = 0;
    for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (followed_[lane] > row) lanes |= 1u << lane;
    }
    return lanes;
  }
  /// These and the ones that came to it apart.
  std::uint32_t lanes_of(std::size_t row) const {
    const RowAddresses& addresses = *common_[row].addresses;
    return lanes_on_path(row) | (addresses.is_own ? addresses.lanes : 0);
  }
  std::vector<std::uint32_t> in_program_order() const;

  std::vector<Row> common_;  // rows of the common path, one of key 0 behind them
  std::size_t rows_ = 0;
  std::vector<Row> side_;                            // rows that only lanes apart made
  std::array<std::uint32_t, kWarpSize> followed_{};  // [lane], rows on the common path
  std::uint32_t lanes_run_ = 0, fewest_ = 0;
  std::uint64_t number_ = 1;

  bool indexed_ = false;  // a lane has left the common path
  RowIndex index_;
  bool apart_ = false;  // the running lane has
  std::size_t apart_from_ = 0;
  bool keeps_order_ = false;
  std::vector<ApartAccess> apart_order_;

  static constexpr std::size_t kAddressesPerChunk = 256;
  std::vector<std::unique_ptr<RowAddresses[]>> chunks_;
  std::uint32_t addresses_used_ = 0;
  const Spaces& spaces_;
};

}  // namespace emu
