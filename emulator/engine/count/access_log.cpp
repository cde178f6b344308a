#include "engine/count/access_log.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <memory>

#include "emulator/judging.h"
#include "engine/count/lanes.hpp"
#include "engine/count/request_counts.hpp"
#include "engine/engine.hpp"
#include "engine/run/queue.hpp"

namespace emu {

namespace {

// For take_loads_before_stores() and take_stores_without_copies(). loads_of_phase: of the warp that
// runs. bytes_before_stores: the sum so far, over all stored bytes, of the bytes loaded before.
__thread WarpLoads* loads_of_phase = nullptr;
__thread std::uint64_t bytes_before_stores = 0, stores_after_copies = 0;
std::atomic<std::uint64_t> loads_before_stores{0}, stores_without_copies{0};

// For take_working_warps(): warps that made a request to global or to shared memory.
__thread std::uint64_t warps_in_global = 0, warps_in_shared = 0;
std::atomic<std::uint64_t> working_in_global{0}, working_in_shared{0};

/// Updates the counts of loads and copies before stores.
/// @param loaded for a load: its distinct bytes
void note_order(const AccessSite& site, AccessSpace space, std::uint32_t lanes,
                std::uint64_t loaded) {
  WarpLoads& warp = *loads_of_phase;
  if (site.traits.is_late) {
    warp.copying_lanes |= lanes;
    each_lane(lanes, [&](unsigned lane) { warp.copying[lane] += site.access_bytes; });
  }
  if (space != AccessSpace::global) return;
  const auto bytes = static_cast<std::uint64_t>(std::popcount(lanes)) * site.access_bytes;
  if (site.kind == AccessKind::load) {
    warp.bytes += loaded;
  } else {
    bytes_before_stores += bytes * warp.bytes;
    each_lane(lanes & warp.copying_lanes,
              [&](unsigned lane) { stores_after_copies += warp.copying[lane] == 0; });
  }
}

// Rows to wait before learning again once a site keeps changing its pattern.
constexpr int kLearningPause = -64;

PredictedAccesses predicted_by(const Pattern& pattern, const Row& row) {
  PredictedAccesses all;
  all.kind = row.site->kind;
  all.begin = row.base + static_cast<std::uintptr_t>(pattern.lowest);
  all.bytes = static_cast<std::size_t>(pattern.highest - pattern.lowest) + row.site->access_bytes;
  all.overlap = pattern.overlaps;
  return all;
}

}  // namespace

void AccessLog::set_observers(std::initializer_list<AccessObserver*> observers) {
  observers_.clear();
  std::copy_if(observers.begin(), observers.end(), std::back_inserter(observers_),
               [](const AccessObserver* one) { return one != nullptr; });
  rows_.keep_order(!observers_.empty());
}

void AccessLog::end_block() {
  if (repeated_loads_) repeated_loads_->forget(block_number_);
  for (const RequestsBySpace& warp : *requests_of_) {
    for (std::size_t space = 0; space < warp.size(); ++space)
      most_requests_[space] = std::max(most_requests_[space], warp[space]);
    warps_in_global += warp[static_cast<std::size_t>(AccessSpace::global)] != 0;
    warps_in_shared += warp[static_cast<std::size_t>(AccessSpace::shared)] != 0;
  }
}

void AccessLog::begin_phase(unsigned warp, unsigned first_lane) {
  phase_requests_ = &(*requests_of_)[warp];
  if (loads_of_->empty()) loads_of_->resize(requests_of_->size());
  loads_of_phase = &(*loads_of_)[warp];
  warp_ = warp;
  rows_.begin();
  unsynced_reads_.begin_phase();
  for (AccessObserver* const observer : observers_) observer->begin_phase(warp, first_lane);
}

/// Stores the address of the running lane's access, which differs from the predicted one, in the
/// row.
inline void AccessLog::set_address(Row& row, const LaneAccess& access) {
  RowAddresses& addresses = rows_.own_addresses(row);
  addresses.offsets[hot.lane] = static_cast<std::int64_t>(access.address - row.base);
  addresses.lanes |= 1u << hot.lane;
  for (AccessObserver* const observer : observers_) observer->assigned_to_row(access, addresses);
}

void AccessLog::record(const LaneAccess& access) {
  current_key_ = access.key;
  for (AccessObserver* const observer : observers_) observer->before(access);
  if (rows_.is_off_path()) return record_off_path(access);
  // The expected request at another address than predicted.
  if (Row* const row = rows_.next(request_key(access.key))) {
    spaces_.of(access.address);  // ends the kernel if the address is invalid
    set_address(*row, access);
    ++hot.cursor;
    return;
  }
  if (rows_.may_append()) return append(access);
  rows_.leave_common_path();
  record_off_path(access);
}

inline bool AccessLog::may_go_unreported(const PredictedAccesses& predicted) const {
  for (AccessObserver* const observer : observers_)
    if (!observer->may_go_unreported(predicted)) return false;
  return true;
}

void AccessLog::append(const LaneAccess& access) {
  if (rows_.is_full()) {
    pause_lane();  // the other lanes catch up, the rows are counted, and a new phase begins
    return record(access);
  }
  AccessSite& site = sites_.find(access.key, access.kind, access.bytes);
  const AccessSpace space = spaces_.of(access.address);
  Row row{request_key(access.key), access.address, nullptr, &site};
  Pattern* const pattern = site.pattern.get();
  if (pattern && pattern->space == space && pattern->addresses.has(hot.lane)) {
    row.base -= static_cast<std::uintptr_t>(pattern->addresses.offsets[hot.lane]);
    if (observers_.empty() || may_go_unreported(predicted_by(*pattern, row))) {
      row.addresses = &pattern->addresses;
      return rows_.append(row);
    }
    row.base = access.address;
  }
  row.addresses = &rows_.new_addresses();
  row.addresses->offsets.fill(0);
  if (!may_go_unreported({access.kind, access.address, access.bytes, true})) {
    row.addresses->reports_each_lane = true;
    row.key = ~row.key;
  }
  set_address(row, access);
  rows_.append(row);
}

void AccessLog::record_off_path(const LaneAccess& access) {
  if (rows_.side_is_full()) {
    pause_lane();
    return record(access);
  }
  AccessSite& site = sites_.find(access.key, access.kind, access.bytes);
  spaces_.of(access.address);  // ends the kernel if the address is invalid
  set_address(rows_.off_path_row(request_key(access.key), site, access.address), access);
}

void AccessLog::end_phase() {
  rows_.end();
  for (AccessObserver* const observer : observers_) observer->end_phase(rows_);
  if (repeated_loads_) repeated_loads_->end_phase(block_number_, warp_, rows_);
  to_learn_.clear();
  rows_.each_row([&](Row& row, std::uint32_t lanes) {
    const RowAddresses& addresses = *row.addresses;
    if (addresses.is_own || lanes != addresses.lanes) return count_row(row, lanes);
    Pattern& pattern = *row.site->pattern;
    ++pattern.times[row.base % kLineBytes];
    count_for_warp(pattern.space);
    note_order(*row.site, pattern.space, lanes, pattern.bytes);
    if (pattern.space == AccessSpace::shared) unsynced_reads_.add(row, lanes);
  });
  if (observers_.empty()) unsynced_read_ = unsynced_reads_.find();
  for (auto& [row, lanes] : to_learn_) learn(*row, lanes);
}

void AccessLog::count_row(Row& row, std::uint32_t lanes) {
  AccessSite& site = *row.site;
  LaneAddresses addresses{};
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    addresses[lane] = row.address(lane);
  }
  unsigned spaces = 0;
  rows_.each_space(row, lanes, [&](AccessSpace space, std::uint32_t lanes_there) {
    const std::uint64_t loaded = site.counters.global_load.bytes;
    count_requests(site, space, addresses, lanes_there, 1);
    count_for_warp(space);
    note_order(site, space, lanes_there, site.counters.global_load.bytes - loaded);
    if (space == AccessSpace::shared) unsynced_reads_.add(row, lanes_there);
    ++spaces;
  });
  if (spaces > 1) return;  // a pattern has one address space
  if (site.learning_credit < 0) {
    if (++site.learning_credit == 0) site.learning_credit = kLearningCredit;
  } else if (site.learning_phase != rows_.number()) {
    site.learning_phase = rows_.number();
    to_learn_.emplace_back(&row, lanes);
  }
}

void AccessLog::learn(Row& row, std::uint32_t lanes) {
  AccessSite& site = *row.site;
  if (!site.pattern || site.pattern->is_used())
    site.learning_credit = kLearningCredit;
  else if (--site.learning_credit == 0)
    site.learning_credit = kLearningPause;
  count_predicted(site);
  if (!site.pattern) site.pattern = std::make_unique<Pattern>();
  site.pattern->learn(row, lanes, site.kind, site.access_bytes, rows_.space_of(row, lanes));
}

void AccessLog::end_late_copy(unsigned lane, std::uint64_t bytes) {
  loads_of_phase->copying[lane] -= static_cast<std::int64_t>(bytes);
}

void AccessLog::count_copy(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors) {
  auto& bulk = sites_.find(key, AccessKind::load, kBankBytes).counters.bulk;
  ++bulk.copies;
  bulk.bytes += bytes;
  bulk.sectors += sectors;
}

void AccessLog::count_bulk_store(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors) {
  auto& bulk = sites_.find(key, AccessKind::store, kBankBytes).counters.bulk_store;
  ++bulk.copies;
  bulk.bytes += bytes;
  bulk.sectors += sectors;
}

void AccessLog::count_product(std::uintptr_t key, std::uint64_t operations,
                              std::uint64_t shared_bytes) {
  constexpr unsigned kBytesPerPass = kBanks * kBankBytes;
  auto& tensor = sites_.find(key, AccessKind::load, kBankBytes).counters.tensor;
  ++tensor.instructions;
  tensor.operations += operations;
  tensor.shared_bytes += shared_bytes;
  tensor.shared_wavefronts += shared_bytes / kBytesPerPass;
}

void AccessLog::take(Counters& total, std::vector<AccessSiteCounters>& sites) {
  sites_.take_touched([&](AccessSite& site) {
    count_predicted(site);
    total += site.counters;
    sites.push_back({program_counter_of(site.key), site.counters});
    site.counters = {};
  });
  total += std::exchange(meetings_, {});
  loads_before_stores += std::exchange(bytes_before_stores, 0);
  stores_without_copies += std::exchange(stores_after_copies, 0);
  working_in_global += std::exchange(warps_in_global, 0);
  working_in_shared += std::exchange(warps_in_shared, 0);
  // Keep the maximum: other workers ran other blocks of the same launch.
  const RequestsBySpace most = std::exchange(most_requests_, {});
  const auto raise = [&](std::uint64_t& figure, AccessSpace space) {
    figure = std::max(figure, most[static_cast<std::size_t>(space)]);
  };
  raise(total.busiest_warp.global, AccessSpace::global);
  raise(total.busiest_warp.shared, AccessSpace::shared);
}

std::uint64_t take_loads_before_stores() noexcept {
  finish_all();
  return loads_before_stores.exchange(0);
}

std::uint64_t take_stores_without_copies() noexcept {
  finish_all();
  return stores_without_copies.exchange(0);
}

WorkingWarps take_working_warps() noexcept {
  finish_all();
  return {working_in_global.exchange(0), working_in_shared.exchange(0)};
}

}  // namespace emu
