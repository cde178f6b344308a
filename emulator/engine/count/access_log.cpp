#include "engine/count/access_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <list>
#include <unordered_map>
#include <utility>

#include "engine/check/checker.hpp"
#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "engine/report/request_trace.hpp"

namespace emu {

__thread HotState hot;
__thread std::uint64_t round_path;

namespace {
constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min() / 2;
constexpr std::size_t kRowsPerPhase = 16384;  // 512 KiB: the rows of a phase stay in L2
constexpr std::uint32_t kSideRow = 1u << 31;
constexpr std::size_t kAddressRowsPerChunk = 256;
constexpr int kLearningPause = -64;  // rows to wait once a site keeps changing its pattern
// Behind the addresses of a row, for the checks: what its stores found.
constexpr std::size_t kRowSlots = 2 * std::size_t{kWarpSize};
constexpr std::uintptr_t kKeyAddressMask = (std::uintptr_t{1} << 48) - 1;

}  // namespace

// ---------------------------------------------------------------------------------- row index

namespace {
constexpr std::uint32_t kTimes = ~std::uint32_t{0};  // in place of an occurrence: `row` is how many
}

void RowIndex::clear() {
  ++generation_;
  used_ = 0;
}

std::size_t RowIndex::slot_of(std::uintptr_t request, std::uint32_t occurrence) const {
  const std::size_t last = entries_.size() - 1;
  std::size_t slot = scrambled(request + kRandomStep * occurrence) & last;
  while (!is_empty(slot) &&
         (entries_[slot].request != request || entries_[slot].occurrence != occurrence))
    slot = (slot + 1) & last;
  return slot;
}

const std::uint32_t* RowIndex::find(std::uintptr_t request, std::uint32_t occurrence) const {
  const std::size_t slot = slot_of(request, occurrence);
  return is_empty(slot) ? nullptr : &entries_[slot].row;
}

void RowIndex::insert(std::uintptr_t request, std::uint32_t occurrence, std::uint32_t row) {
  if (2 * ++used_ > entries_.size()) {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    for (const Entry& one : old)
      if (one.generation == generation_) entries_[slot_of(one.request, one.occurrence)] = one;
  }
  entries_[slot_of(request, occurrence)] = {request, occurrence, row, generation_};
}

void RowIndex::add(std::uintptr_t request, std::uint32_t row) {
  const std::size_t times = slot_of(request, kTimes);
  const std::uint32_t occurrence = is_empty(times) ? 0 : entries_[times].row++;
  if (is_empty(times)) insert(request, kTimes, 1);
  insert(request, occurrence, row);
}

// --------------------------------------------------------------------------------------- rows

Row never_row{1, 0, nullptr, nullptr};  // key 1 is no instruction

AccessLog::AccessLog() : table_(256, nullptr), trace_(1) {}

void AccessLog::set_shared_range(std::uintptr_t begin, std::size_t bytes) {
  shared_begin_ = begin;
  shared_bytes_ = bytes;
}

const void* AccessLog::current_instruction() const {
  return reinterpret_cast<const void*>(current_key_ & kKeyAddressMask);
}

void AccessLog::end_block() {
  for (const RequestsBySpace& warp : *requests_of_)
    for (std::size_t space = 0; space < warp.size(); ++space)
      most_requests_[space] = std::max(most_requests_[space], warp[space]);
}

void AccessLog::begin_phase(unsigned warp) {
  phase_requests_ = requests_of_ ? &(*requests_of_)[warp] : &no_requests_;
  trace_rows_ = 0;
  trace_[0].key = 0;
  side_.clear();
  side_lanes_.clear();
  lanes_run_ = 0;
  indexed_ = false;
  addresses_used_ = 0;
  apart_order_.clear();
  ++phase_;
}

void AccessLog::end_lane() {
  common_rows_[hot.lane] = static_cast<std::uint32_t>(
      apart_ ? apart_from_ : static_cast<std::size_t>(hot.cursor - trace_.data()));
  lanes_run_ |= 1u << hot.lane;
  apart_ = false;
  hot.cursor = nullptr;
}

AccessSpace AccessLog::space_of(std::uintptr_t address) const {
  if (address - shared_begin_ < shared_bytes_) return AccessSpace::shared;
  const void* pointer = reinterpret_cast<const void*>(address);
  if (in_arena(pointer)) return AccessSpace::global;
  if (address - windows_begin_ < windows_bytes_) return AccessSpace::shared;
  switch (find_space(pointer)) {
    case Space::device:
    case Space::device_variable:
    case Space::managed:
    case Space::pinned:
      return AccessSpace::global;
    case Space::constant:
      return AccessSpace::other;
    case Space::none:
      break;
  }
  if (in_program_constants(pointer)) return AccessSpace::other;
  illegal_address(pointer);
}

void AccessLog::record(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                       unsigned access_bytes) {
  if (address - hot.stack_begin < hot.stack_bytes) return;  // local memory
  current_key_ = key;
  if (checker_) check(address, key, kind, access_bytes);
  if (apart_) return record_apart(address, key, kind, access_bytes);
  const auto at = static_cast<std::size_t>(hot.cursor - trace_.data());
  if (at < trace_rows_ && hot.cursor->key == request_key(key)) {  // another address than expected
    space_of(address);
    own_addresses(*hot.cursor)[hot.lane] = static_cast<std::int64_t>(address);
    if (checker_) note_before(*hot.cursor, address, access_bytes);
    ++hot.cursor;
    return;
  }
  if (at == trace_rows_ && !indexed_) return append(address, key, kind, access_bytes);
  leave_common_path(at);
  record_apart(address, key, kind, access_bytes);
}

void AccessLog::append(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                       unsigned access_bytes) {
  if (trace_rows_ == kRowsPerPhase) {
    pause_lane();  // the other lanes catch up, the rows are counted, a new phase begins
    return record(address, key, kind, access_bytes);
  }
  if (trace_rows_ + 1 == trace_.size()) trace_.resize(2 * trace_.size());
  Row& row = trace_[trace_rows_];
  Site& site = find_site(key, kind, access_bytes);
  const AccessSpace space = space_of(address);
  const Pattern* pattern = site.pattern.get();
  row.key = request_key(key);
  row.site = &site;
  if (pattern && pattern->space == space && pattern->offsets[hot.lane] != kAbsent &&
      (!checker_ ||
       may_follow(*pattern, site,
                  address - static_cast<std::uintptr_t>(pattern->offsets[hot.lane])))) {
    row.base = address - static_cast<std::uintptr_t>(pattern->offsets[hot.lane]);
    row.offsets = pattern->offsets.data();
  } else {
    std::int64_t* addresses = new_addresses();
    addresses[hot.lane] = static_cast<std::int64_t>(address);
    row.base = 0;
    row.offsets = addresses;
    if (checker_) note_before(row, address, access_bytes);
  }
  ++trace_rows_;
  trace_[trace_rows_].key = 0;
  hot.cursor = trace_.data() + trace_rows_;
}

void AccessLog::leave_common_path(std::size_t at) {
  if (!indexed_) {
    indexed_ = true;
    trace_extra_.assign(trace_rows_, 0);
    index_.clear();
    for (std::size_t i = 0; i < trace_rows_; ++i)
      index_.add(trace_[i].key, static_cast<std::uint32_t>(i));
  }
  apart_ = true;
  apart_from_ = at;
  hot.cursor = &never_row;
}

void AccessLog::record_apart(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                             unsigned access_bytes) {
  if (side_.size() == kRowsPerPhase) {
    pause_lane();
    return record(address, key, kind, access_bytes);
  }
  Site& site = find_site(key, kind, access_bytes);
  const std::uintptr_t request = request_key(key);
  const std::uint64_t stamp = phase_ * kWarpSize + hot.lane;
  if (site.lane_stamp != stamp || site.lane_request != request) {
    site.lane_stamp = stamp;
    site.lane_request = request;
    site.lane_occurrence = 0;
    for (const std::uint32_t* row;
         (row = index_.find(request, site.lane_occurrence)) != nullptr && has_made(*row);)
      ++site.lane_occurrence;
  }
  space_of(address);
  const std::uint32_t* const known = index_.find(request, site.lane_occurrence++);
  const std::uint32_t index = known ? *known : kSideRow | static_cast<std::uint32_t>(side_.size());
  if (!known) {
    index_.add(request, index);
    side_.push_back({request, 0, new_addresses(), &site});
    side_lanes_.push_back(0);
  }
  Row& row = index & kSideRow ? side_[index & ~kSideRow] : trace_[index];
  std::uint32_t& lanes = index & kSideRow ? side_lanes_[index & ~kSideRow] : trace_extra_[index];
  own_addresses(row)[hot.lane] = static_cast<std::int64_t>(address);
  lanes |= 1u << hot.lane;
  if (checker_) note_before(row, address, access_bytes);
  if (checker_ || request_trace_) apart_order_.push_back({hot.lane, index});
}

/// Whether the running lane, off the common path, has been at a row before.
bool AccessLog::has_made(std::uint32_t row) const {
  if ((row & kSideRow) == 0 && row < apart_from_) return true;
  const std::uint32_t lanes = row & kSideRow ? side_lanes_[row & ~kSideRow] : trace_extra_[row];
  return (lanes >> hot.lane & 1) != 0;
}

std::int64_t* AccessLog::new_addresses() {
  const std::size_t chunk = addresses_used_ / kAddressRowsPerChunk;
  if (chunk == address_chunks_.size())
    address_chunks_.push_back(std::make_unique<std::int64_t[]>(kAddressRowsPerChunk * kRowSlots));
  std::int64_t* addresses =
      &address_chunks_[chunk][(addresses_used_++ % kAddressRowsPerChunk) * kRowSlots];
  std::fill_n(addresses, kWarpSize, -1);
  if (checker_) std::fill_n(addresses + kWarpSize, kWarpSize, kNotSeen);
  return addresses;
}

std::int64_t* AccessLog::own_addresses(Row& row) {
  if (row.base == 0) return const_cast<std::int64_t*>(row.offsets);
  std::int64_t* addresses = new_addresses();
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    addresses[lane] = static_cast<std::int64_t>(row.base) + row.offsets[lane];
  row.base = 0;
  row.offsets = addresses;
  return addresses;
}

void AccessLog::end_phase() {
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1)
    fewest = std::min(fewest, common_rows_[static_cast<unsigned>(std::countr_zero(left))]);
  to_learn_.clear();
  if (checker_) check_phase(fewest);
  if (request_trace_) trace_phase(fewest);
  for (std::size_t i = 0; i < trace_rows_; ++i) {
    std::uint32_t lanes = lanes_on_path(i, fewest);
    if (indexed_ && i < trace_extra_.size()) lanes |= trace_extra_[i];
    Row& row = trace_[i];
    Pattern* pattern = row.site->pattern.get();
    AccessSpace space{};
    if (row.base != 0 && lanes == pattern->lanes) {
      ++pattern->times[row.base % kLineBytes];
      space = pattern->space;
    } else {
      space = count_row(row, lanes);
    }
    ++(*phase_requests_)[static_cast<std::size_t>(space)];
  }
  for (std::size_t i = 0; i < side_.size(); ++i)
    ++(*phase_requests_)[static_cast<std::size_t>(count_row(side_[i], side_lanes_[i]))];
  for (auto& [row, lanes] : to_learn_) learn(*row, lanes);
}

/// The lanes that made a row's access on the common path; all do up to row `fewest`.
inline std::uint32_t AccessLog::lanes_on_path(std::size_t row, std::uint32_t fewest) const {
  if (row < fewest) return lanes_run_;
  std::uint32_t lanes = 0;
  for (std::uint32_t left = lanes_run_; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (common_rows_[lane] > row) lanes |= 1u << lane;
  }
  return lanes;
}

// ------------------------------------------------------------------------------------- checks

/// Before an access: is it valid?
void AccessLog::check(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                      unsigned access_bytes) {
  checker_->memory.check(address, access_bytes, kind, key & kKeyAddressMask);
}

/// Whether lanes that follow the pattern need no check of their own.
bool AccessLog::may_follow(const Pattern& pattern, const Site& site, std::uintptr_t base) const {
  if (pattern.overlaps && site.kind == AccessKind::store) return false;
  return checker_->memory.same_object(
      base + static_cast<std::uintptr_t>(pattern.lowest),
      static_cast<std::size_t>(pattern.highest - pattern.lowest) + site.access_bytes);
}

void AccessLog::note_before(Row& row, std::uintptr_t address, unsigned access_bytes) {
  if (row.site->kind != AccessKind::store) return;
  std::int64_t* const befores = const_cast<std::int64_t*>(row.offsets) + kWarpSize;
  befores[hot.lane] = 0;
  std::memcpy(&befores[hot.lane], reinterpret_cast<const void*>(address),
              std::min<std::size_t>(access_bytes, sizeof(std::int64_t)));
}

/// Tells the checks what happened, each lane's accesses in its own order.
void AccessLog::check_phase(std::uint32_t fewest) {
  for (std::size_t i = 0; i < trace_rows_; ++i) check_row(trace_[i], lanes_on_path(i, fewest));
  for (const ApartAccess& one : apart_order_)
    check_row(one.row & kSideRow ? side_[one.row & ~kSideRow] : trace_[one.row], 1u << one.lane);
  checker_->end_phase();
}

void AccessLog::check_row(const Row& row, std::uint32_t lanes) {
  Site& site = *row.site;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const AccessSpace space = row.base != 0
                                ? site.pattern->space
                                : space_of(static_cast<std::uintptr_t>(row.offsets[first]));
  if (space == AccessSpace::other) return;
  if (site.number == 0) site.number = checker_->number_of_site(site.key);
  WarpAccess access;
  access.key = site.key;
  access.site = site.number;
  access.kind = site.kind;
  access.is_shared = space == AccessSpace::shared;
  access.is_strong = site.kind == AccessKind::atomic || site.traits.is_volatile;
  access.overwrites = site.traits.overwrites;
  access.is_copy = site.traits.is_late;
  access.bytes = site.access_bytes;
  access.struct_bytes = site.traits.struct_bytes;
  access.part = static_cast<unsigned>(site.key >> kPartShift);
  access.lanes = lanes;
  if (row.base != 0 && lanes == site.pattern->lanes) access.shape = site.pattern->shape;
  access.base = row.base;
  access.offsets = row.offsets;
  access.befores = row.base != 0 ? nullptr : row.offsets + kWarpSize;
  checker_->access(access);
}

// -------------------------------------------------------------------------------------- trace

void AccessLog::trace_phase(std::uint32_t fewest) {
  for (const std::uint32_t index : rows_in_program_order()) {
    const bool is_side = (index & kSideRow) != 0;
    const Row& row = is_side ? side_[index & ~kSideRow] : trace_[index];
    TracedRequest request;
    request.lanes = is_side ? side_lanes_[index & ~kSideRow] : lanes_on_path(index, fewest);
    if (!is_side && indexed_ && index < trace_extra_.size()) request.lanes |= trace_extra_[index];
    for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      request.addresses[lane] = row.base + static_cast<std::uintptr_t>(row.offsets[lane]);
    }
    request.space =
        space_of(request.addresses[static_cast<unsigned>(std::countr_zero(request.lanes))]);
    if (request.space == AccessSpace::other) continue;
    request.program_counter = row.site->key & kKeyAddressMask;
    request.kind = row.site->kind;
    request.access_bytes = row.site->access_bytes;
    request_trace_->add(request);
  }
}

/// Side rows carry kSideRow. Lane by lane, what a lane did and those before it did not goes in
/// front of the next row that they share: so the order in which lanes ran does not show.
std::vector<std::uint32_t> AccessLog::rows_in_program_order() const {
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
      const auto place = places.find(row);
      if (place == places.end())
        fresh.push_back(row);
      else
        insert_fresh(place->second);
    };
    for (std::uint32_t row = 0; row < common_rows_[lane]; ++row) pass(row);
    for (const ApartAccess& access : apart_order_)
      if (access.lane == lane) pass(access.row);
    insert_fresh(order.end());
  }
  return {order.begin(), order.end()};
}

// ----------------------------------------------------------------------------------- counting

AccessSpace AccessLog::count_row(Row& row, std::uint32_t lanes) {
  Site& site = *row.site;
  LaneAddresses addresses{};
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    addresses[lane] = row.base + static_cast<std::uintptr_t>(row.offsets[lane]);
  }
  const AccessSpace space = space_of(addresses[static_cast<unsigned>(std::countr_zero(lanes))]);
  count(site, space, addresses, lanes, 1);
  if (site.learning_credit < 0) {
    if (++site.learning_credit == 0) site.learning_credit = kLearningCredit;
  } else if (site.learning_phase != phase_) {
    site.learning_phase = phase_;
    to_learn_.emplace_back(&row, lanes);
  }
  return space;
}

void AccessLog::count(Site& site, AccessSpace space, const LaneAddresses& addresses,
                      std::uint32_t lanes, std::uint64_t times) {
  Counters& counters = site.counters;
  counters.warp_instructions += times;
  counters.lane_instructions += times * static_cast<unsigned>(std::popcount(lanes));
  const auto of_kind = [&](auto& load, auto& store, auto& atomic) -> auto& {
    return site.kind == AccessKind::load ? load : site.kind == AccessKind::store ? store : atomic;
  };
  if (space == AccessSpace::global) {
    auto& memory = of_kind(counters.global_load, counters.global_store, counters.global_atomic);
    auto& ideal = counters.sectors_ideal;
    const GlobalCost cost = global_cost(site.kind, addresses, lanes, site.access_bytes);
    memory.requests += times;
    memory.sectors += times * cost.sectors;
    memory.lines += times * cost.lines;
    memory.bytes += times * cost.bytes;
    if (site.kind == AccessKind::load && !evenly_spaced(addresses, lanes))
      counters.uneven_global_loads += times;
    of_kind(ideal.global_load, ideal.global_store, ideal.global_atomic) +=
        times * ((cost.bytes + kSectorBytes - 1) / kSectorBytes);
  } else if (space == AccessSpace::shared) {
    auto& shared = of_kind(counters.shared_load, counters.shared_store, counters.shared_atomic);
    const SharedCost cost = shared_cost(site.kind, addresses, lanes, site.access_bytes);
    shared.requests += times;
    shared.wavefronts += times * cost.wavefronts;
    shared.wavefronts_ideal += times * cost.wavefronts_ideal;
  }
}

void AccessLog::learn(Row& row, std::uint32_t lanes) {
  Site& site = *row.site;
  const bool used =
      site.pattern && std::any_of(site.pattern->times.begin(), site.pattern->times.end(),
                                  [](std::uint64_t times) { return times != 0; });
  if (used || !site.pattern)
    site.learning_credit = kLearningCredit;
  else if (--site.learning_credit == 0)
    site.learning_credit = kLearningPause;
  fold(site);
  if (!site.pattern) site.pattern = std::make_unique<Pattern>();
  Pattern& pattern = *site.pattern;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::int64_t base = static_cast<std::int64_t>(row.base) + row.offsets[first];
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    pattern.offsets[lane] = lanes >> lane & 1
                                ? static_cast<std::int64_t>(row.base) + row.offsets[lane] - base
                                : kAbsent;
  const auto size = static_cast<std::int64_t>(site.access_bytes);
  std::array<std::int64_t, kWarpSize> sorted{};
  unsigned count = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    sorted[count++] = pattern.offsets[static_cast<unsigned>(std::countr_zero(left))];
  }
  std::sort(sorted.begin(), sorted.begin() + count);
  pattern.lowest = sorted[0];
  pattern.highest = sorted[count - 1];
  pattern.overlaps = false;
  for (unsigned i = 1; i < count; ++i)
    pattern.overlaps = pattern.overlaps || sorted[i] - sorted[i - 1] < size;
  const unsigned first_lane = first;
  const bool neighbours = ((lanes >> first_lane) & ((lanes >> first_lane) + 1)) == 0;
  bool in_row = neighbours;
  for (unsigned i = 0; in_row && i < count; ++i)
    in_row = pattern.offsets[first_lane + i] == static_cast<std::int64_t>(i) * size;
  pattern.shape = pattern.lowest == pattern.highest ? Shape::same
                  : in_row                          ? Shape::in_row
                                                    : Shape::scattered;
  pattern.lanes = lanes;
  pattern.space = space_of(static_cast<std::uintptr_t>(base));
}

void AccessLog::fold(Site& site) {
  if (!site.pattern) return;
  Pattern& pattern = *site.pattern;
  constexpr std::int64_t kFar = std::int64_t{1}
                                << 46;  // keeps addresses positive; a multiple of a line
  for (unsigned residue = 0; residue < kLineBytes; ++residue) {
    if (pattern.times[residue] == 0) continue;
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = static_cast<std::uint64_t>(kFar + residue + pattern.offsets[lane]);
    count(site, pattern.space, addresses, pattern.lanes, pattern.times[residue]);
    pattern.times[residue] = 0;
  }
}

void AccessLog::count_copy(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors) {
  auto& bulk = find_site(key, AccessKind::load, kBankBytes).counters.bulk;
  ++bulk.copies;
  bulk.bytes += bytes;
  bulk.sectors += sectors;
}

void AccessLog::take(Counters& total, std::vector<SiteCounters>& sites) {
  for (Site* site : touched_) {
    fold(*site);
    total += site->counters;
    sites.push_back({site->key & kKeyAddressMask, site->counters});
    site->counters = {};
    site->touched = false;
  }
  touched_.clear();
  total += std::exchange(meetings_, {});
  // Other workers ran other blocks of the same launch.
  const RequestsBySpace most = std::exchange(most_requests_, {});
  const auto raise = [&](std::uint64_t& figure, AccessSpace space) {
    figure = std::max(figure, most[static_cast<std::size_t>(space)]);
  };
  raise(total.busiest_warp.global, AccessSpace::global);
  raise(total.busiest_warp.shared, AccessSpace::shared);
}

Site& AccessLog::find_site(std::uintptr_t key, AccessKind kind, unsigned access_bytes) {
  const std::size_t last = table_.size() - 1;
  std::size_t slot = (key ^ key >> 48) * 0x9e3779b97f4a7c15u >> 32 & last;
  while (table_[slot] && table_[slot]->key != key) slot = (slot + 1) & last;
  if (!table_[slot]) {
    sites_.push_back(std::make_unique<Site>());
    sites_.back()->key = key;
    sites_.back()->kind = kind;
    sites_.back()->access_bytes = access_bytes;
    sites_.back()->traits = hot.traits;
    table_[slot] = sites_.back().get();
    if (2 * sites_.size() > table_.size()) grow_site_table();
    return find_site(key, kind, access_bytes);
  }
  Site& site = *table_[slot];
  if (!site.touched) {
    site.touched = true;
    touched_.push_back(&site);
  }
  return site;
}

void AccessLog::grow_site_table() {
  table_.assign(2 * table_.size(), nullptr);
  for (const auto& site : sites_) {
    std::size_t slot =
        (site->key ^ site->key >> 48) * 0x9e3779b97f4a7c15u >> 32 & (table_.size() - 1);
    while (table_[slot]) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = site.get();
  }
}

}  // namespace emu
