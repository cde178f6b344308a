#include "engine/check/checker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "emulator/memory.h"
#include "engine/check/attempt.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/meet/cluster.hpp"
#include "engine/run/block.hpp"
#include "engine/run/extents.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

/// Larger ranges are not saved as a whole but access by access, because the launch may write little
/// of them.
constexpr std::size_t kMostSavedAtOnce = std::size_t{1} << 20;

}  // namespace

Checker& Checker::instance() {
  static Checker& checker = *new Checker(CheckedMemory::instance());
  return checker;
}

Checker::Checker(CheckedMemory& its_memory) {
  context_.global = &its_memory;
  context_.images = &images_;
}

void Checker::prepare(std::uint32_t segment, Attempt* attempt) {
  context_.segment = segment;
  attempt_ = attempt;
}

void Checker::begin_launch(const Launch& launch, const std::vector<uint3>& threads,
                           std::uintptr_t shared_begin, std::size_t shared_bytes) {
  if (has_many_segments()) begin_segments_anew();
  context_.launch = &launch;
  context_.checks = settings().checks;
  context_.thread_index = &threads;
  context_.all_since = ++context_.segment;
  context_.now = nullptr;
  context_.windows = nullptr;
  context_.forget_blocks();
  context_.went_out_of_bounds = false;
  context_.shared_begin = shared_begin;
  context_.shared_bytes = shared_bytes;
  context_.ranks = static_cast<unsigned>(volume(launch.cluster));
  context_.threads_of_block =
      static_cast<unsigned>((threads.size() + kWarpSize - 1) / kWarpSize * kWarpSize);
  ++launches_;
  spare_.clear();
  for (auto& block : blocks_) spare_.push_back(block.get());
  context_.shared_variables = visible_shared_variables(launch.encoding, launch.kernel);
  if (launch.dynamic_shared_bytes)
    context_.shared_variables.push_back({"dynamic memory",
                                         reinterpret_cast<std::uintptr_t>(dynamic_shared()),
                                         launch.dynamic_shared_bytes});
  context_.guards = shared_guards(launch.kernel);
  memory.forget();
  race.begin_launch();
  if (!attempt_) host.begin_launch(launch, context_.all_since);
}

void Checker::enter(Block& block, bool begins) {
  if (block.cluster || context_.windows) memory.forget();
  context_.windows = block.cluster ? &block.cluster->windows : nullptr;
  if (begins) return begin_block(block);
  context_.enter(*block.checked);
  findings_.unit = block.checked->cluster->number;
}

void Checker::begin_block(Block& block) {
  if (spare_.empty()) {
    blocks_.push_back(std::make_unique<CheckedBlock>());
    spare_.push_back(blocks_.back().get());
  }
  CheckedBlock& mine = *spare_.back();
  spare_.pop_back();
  block.checked = &mine;
  mine.linear = block.linear;
  mine.rank = block.rank;
  mine.has_met = mine.has_left = false;
  mine.exits.assign(context_.threads_of_block, {});
  if (std::exchange(mine.launch, launches_) != launches_) {
    mine.shared.cover(context_.shared_begin, context_.shared_bytes);
    mine.shared.forget(context_.shared_begin, context_.shared_bytes);
  }
  bool is_first = true;
  if (block.cluster) {
    is_first = !block.cluster->checked;
    if (is_first) block.cluster->checked = std::make_shared<CheckedCluster>();
    mine.cluster = block.cluster->checked;
  } else if (!mine.cluster || !mine.is_alone()) {
    mine.cluster = std::make_shared<CheckedCluster>();
  }
  mine.cluster->number = block.cluster ? block.cluster->number : block.linear;
  findings_.unit = mine.cluster->number;
  mine.cluster->blocks.resize(context_.ranks);
  mine.cluster->blocks[mine.rank] = &mine;
  context_.enter(mine);
  mine.first = mine.since = context_.stage_since;
  if (is_first) mine.cluster->since = mine.first;
  if (context_.checks.init) init.begin_block();
  race.begin_block(is_first);
}

void Checker::end_block(const Block& block) {
  for (const BulkCopy& copy : block.copies) sync.unfinished_copy(copy.thread, copy.call_site);
  for (const AsyncRead& read : block.checked->async_reads.all())
    if (!read.has_ended()) sync.unfinished_read(read);
  if (context_.checks.race) race.end_block();
  block.checked->cluster->blocks[block.checked->rank] = nullptr;
  spare_.push_back(block.checked);
}

void Checker::begin_phase(unsigned warp, unsigned first_lane) {
  context_.warp = warp;
  ++context_.segment;
  images_.begin_phase();
  race.begin_phase(first_lane);
}

inline void Checker::look_at(const PhaseRows& rows, const Row& row, std::uint32_t lanes) {
  AccessSite& site = *row.site;
  const RowAddresses& addresses = *row.addresses;
  const AccessSpace space = addresses.is_own ? rows.space_of(row, lanes) : site.pattern->space;
  if (space == AccessSpace::other) return;
  if (site.number == 0) site.number = number_of_site(site.key);
  WarpAccess warp;
  warp.key = site.key;
  warp.site = site.number;
  warp.kind = site.kind;
  if (!addresses.is_own && lanes == addresses.lanes) warp.shape = site.pattern->shape;
  warp.is_shared = space == AccessSpace::shared;
  warp.is_atomic = site.traits.is_atomic;
  warp.is_strong = site.kind == AccessKind::atomic || site.traits.is_volatile;
  warp.overwrites = site.traits.overwrites;
  warp.is_swap = site.traits.is_swap;
  warp.is_extreme = site.traits.is_extreme;
  warp.is_copy = site.traits.is_late;
  warp.bytes = site.access_bytes;
  warp.struct_bytes = site.traits.struct_bytes;
  warp.padding = site.traits.padding;
  warp.part = static_cast<unsigned>(site.key >> kPartShift);
  warp.lanes = lanes;
  warp.base = row.base;
  warp.offsets = addresses.offsets.data();
  warp.memory = warp.is_shared ? &context_.now->shared : &context_.global->arena();
  if (addresses.is_own) warp.found = images_.find(addresses.number);
  if (context_.windows && space != AccessSpace::global) return look_into_windows(warp);
  access(warp);
}

/// Checks an access to shared memory that may be of several blocks of the cluster, separately for
/// each block.
void Checker::look_into_windows(WarpAccess access_of_all) {
  std::uint32_t left = access_of_all.lanes;
  const auto is_in_place = [&](unsigned lane) {
    return context_.is_shared(access_of_all.address(lane));
  };
  std::uint32_t away = left;
  while (away != 0 && is_in_place(static_cast<unsigned>(std::countr_zero(away)))) away &= away - 1;
  if (away == 0) return access(access_of_all);
  access_of_all.is_shared = true;
  access_of_all.shape = Shape::scattered;
  while (left != 0) {
    WarpAccess one = access_of_all;
    one.lanes = 0;
    SharedAddress first;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const SharedAddress shared = context_.shared_address(one.address(lane));
      if (one.lanes == 0) {
        first = shared;
        one.to_own_address = shared.address - one.address(lane);
      }
      if (shared.block == first.block) one.lanes |= 1u << lane;
    }
    left &= ~one.lanes;
    if (!first.block) continue;
    one.memory = &first.block->shared;
    access(one);
  }
}

/// Keeps the last access of lanes that have returned, from which synccheck decides what they went
/// past.
void Checker::keep_exits(const PhaseRows& rows) {
  Exit* const of_warp = &context_.now->exits[context_.warp * kWarpSize];
  for (std::uint32_t left = exits_; left != 0; left &= left - 1)
    of_warp[std::countr_zero(left)].after_barrier = context_.now->has_met;
  rows.each_access([&](const Row& row, std::uint32_t lanes) {
    for (std::uint32_t left = lanes & exits_; left != 0; left &= left - 1) {
      Exit& exit = of_warp[std::countr_zero(left)];
      exit.last_access = program_counter_of(row.site->key);
      exit.kind = row.site->kind;
    }
  });
  exits_ = 0;
}

/// Checks the phase's accesses, each lane's in its own order.
void Checker::end_phase(const PhaseRows& rows) {
  if (exits_ != 0) keep_exits(rows);
  rows.each_access([&](const Row& row, std::uint32_t lanes) { look_at(rows, row, lanes); });
  context_.went_out_of_bounds = false;
}

void Checker::block_barrier(const std::vector<Warp>& warps) {
  sync.block_barrier(warps, static_cast<unsigned>(context_.thread_index->size()));
  context_.now->has_met = true;
  context_.now->since = context_.segment + 1;
  race.block_barrier();
}

void Checker::grid_barrier() { context_.all_since = ++context_.segment; }

/// Follows the access for those lanes only whose addresses are in bounds.
void Checker::access_inside(const WarpAccess& access) {
  WarpAccess inside = access;
  inside.lanes = 0;
  for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    Allocation allocation{};
    const bool is_inside =
        access.is_shared ||
        (find_allocation(reinterpret_cast<const void*>(access.address(lane)), &allocation) &&
         access.address(lane) + access.bytes <=
             reinterpret_cast<std::uintptr_t>(allocation.begin) + allocation.bytes);
    if (is_inside) inside.lanes |= 1u << lane;
  }
  if (inside.lanes != 0) follow(inside);
}

WarpAccess Checker::single_access(unsigned thread, AccessKind kind, SharedAddress where,
                                  const void* begin, unsigned bytes, const void* call_site) {
  static constexpr std::array<std::int64_t, kWarpSize> kNoOffsets{};
  WarpAccess access;
  access.key = reinterpret_cast<std::uintptr_t>(call_site);
  access.site = number_of_site(access.key);
  access.kind = kind;
  access.is_shared = where.block != nullptr;
  access.bytes = bytes;
  access.lanes = 1u << thread % kWarpSize;
  access.base = reinterpret_cast<std::uintptr_t>(begin);
  access.offsets = kNoOffsets.data();
  access.memory = where.block ? &where.block->shared : &context_.global->arena();
  if (where.block) access.to_own_address = where.address - access.base;
  return access;
}

void Checker::mbarrier_access(unsigned thread, AccessKind kind, const void* barrier,
                              const void* call_site) {
  WarpAccess access = single_access(thread, kind, shared_address(barrier), barrier,
                                    sizeof(std::uint64_t), call_site);
  access.is_strong = kind != AccessKind::store;  // among stores, only mbarrier_init is not
  if (context_.checks.init) init.access(access);
  if (context_.checks.race) race.access(access);
}

void Checker::request_copy(unsigned thread, const BulkCopy& copy, const Block& target,
                           const void* staged_from, const void* call_site) {
  const bool is_inside = memory.check_copy(copy, reinterpret_cast<std::uintptr_t>(call_site));
  if (staged_from) {
    const WarpAccess read = single_access(thread, AccessKind::load, shared_address(staged_from),
                                          staged_from, copy.tensor.box_bytes(), call_site);
    if (context_.checks.init) init.access(read);
    if (context_.checks.race) race.access(read);
  }
  for (std::uint32_t i = 0; !staged_from && is_inside && i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    if (row.bytes == 0) continue;
    const WarpAccess read =
        single_access(thread, AccessKind::load, SharedAddress(), row.source, row.bytes, call_site);
    if (attempt_) touch(read);
    if (context_.checks.race) race.access(read);
  }
  if (!context_.checks.race) return;
  CheckedBlock& to = *target.checked;
  const auto target_address = reinterpret_cast<std::uintptr_t>(copy.target);
  // The block's own shared memory is in place; that of a parked block is in its window.
  const void* const bytes =
      &to == context_.now ? copy.target : context_.windows->in_window(copy.target, to.rank);
  WarpAccess write = single_access(thread, AccessKind::store, {&to, target_address}, bytes,
                                   copy.tensor.box_bytes(), call_site);
  write.is_copy = true;
  race.request_copy(write, to, {&to, reinterpret_cast<std::uintptr_t>(copy.barrier)});
}

void Checker::made_copy(const BulkCopy& copy) {
  if (context_.checks.init) init.made(copy);
  if (context_.checks.race) race.made_copy(shared_address(copy.barrier));
}

void Checker::begin_read(AsyncRead::By by, unsigned thread,
                         const std::vector<std::uintptr_t>& addresses, const void* call_site) {
  if (context_.checks.init)
    for (const std::uintptr_t address : addresses) {
      const void* const begin = reinterpret_cast<const void*>(address);
      init.access(single_access(thread, AccessKind::load, shared_address(begin), begin,
                                AsyncRead::kPieceBytes, call_site));
    }
  if (!context_.checks.race) return;
  AsyncRead read;
  read.by = by;
  read.thread = thread;
  read.site = number_of_site(reinterpret_cast<std::uintptr_t>(call_site));
  read.call_site = call_site;
  read.set_pieces(addresses);
  race.begin_read(std::move(read));
}

void Checker::request_store(unsigned thread, const BulkCopy& copy, const void* call_site) {
  const bool is_inside = memory.check_store(copy, reinterpret_cast<std::uintptr_t>(call_site));
  std::vector<std::uintptr_t> addresses;
  for (std::uint32_t at = 0; at < copy.tensor.box_bytes(); at += kCopyGrain)
    addresses.push_back(reinterpret_cast<std::uintptr_t>(copy.swizzled_address(at)));
  begin_read(AsyncRead::By::bulk_store, thread, addresses, call_site);
  for (std::uint32_t i = 0; is_inside && i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    if (row.bytes == 0) continue;
    WarpAccess write =
        single_access(thread, AccessKind::store, SharedAddress(), row.source, row.bytes, call_site);
    write.is_late = true;
    if (attempt_) {
      touch(write);
      attempt_->undo.about_to_write(reinterpret_cast<std::uintptr_t>(row.source), row.bytes);
    }
    if (context_.checks.race) race.access(write);
  }
}

void Checker::made_bulk_store(const BulkCopy& copy) {
  if (context_.checks.init) init.made_store(copy);
}

void Checker::made_store(unsigned thread, const void* target, unsigned bytes,
                         const void* call_site) {
  const WarpAccess store =
      single_access(thread, AccessKind::store, shared_address(target), target, bytes, call_site);
  if (context_.checks.init) init.access(store);
  if (context_.checks.race) race.access(store);
}

bool Checker::has_many_segments() const {
  constexpr std::uint32_t kMany = 3'000'000'000;
  return context_.segment > kMany;
}

void Checker::begin_segments_anew() {
  context_.global->forget_records();
  for (auto& block : blocks_) block->shared.forget_records();
  context_.segment = 1;
  host.waited();
}

/// Calls `visit(begin, bytes)` for the ranges that the lanes access, until it returns false. Equal
/// and adjacent addresses of consecutive lanes make one range.
/// @return whether all calls returned true
template <class Visit>
bool for_ranges(const WarpAccess& access, Visit&& visit) {
  if (access.shape != Shape::scattered) {
    const auto first = static_cast<unsigned>(std::countr_zero(access.lanes));
    const int lanes = access.shape == Shape::same ? 1 : std::popcount(access.lanes);
    return visit(access.address(first), std::size_t{access.bytes} * static_cast<unsigned>(lanes));
  }
  std::uintptr_t newest = 0;
  for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
    const std::uintptr_t at = access.address(static_cast<unsigned>(std::countr_zero(left)));
    if (std::exchange(newest, at) != at && !visit(at, access.bytes)) return false;
  }
  return true;
}

void Checker::touch(const WarpAccess& access) {
  const auto how = access.is_strong                  ? TouchedWords::How::strong
                   : access.kind == AccessKind::load ? TouchedWords::How::read
                                                     : TouchedWords::How::written;
  if (access.is_strong) attempt_->note_strong_access();
  for_ranges(access, [&](std::uintptr_t begin, std::size_t bytes) {
    for_pages(begin, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
      ShadowPage& page = context_.page_of(*access.memory, at);
      if (!page.touched) page.touched = std::make_unique<TouchedWords>();
      if (page.touched->add(context_.now->cluster->number, how, first / kWordBytes,
                            (last - 1) / kWordBytes))
        attempt_->give_up();
    });
    return true;
  });
}

/// Returns whether other blocks have read the same words already. Then this read needs no record: a
/// block that writes there ends the attempt anyway.
bool Checker::is_known_read(const WarpAccess& access) {
  // Scattered addresses are not looked up: that takes as long as the checks.
  if (access.is_strong || access.shape == Shape::scattered) return false;
  return for_ranges(access, [&](std::uintptr_t begin, std::size_t bytes) {
    bool is_known = true;
    for_pages(begin, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
      const ShadowPage* const page = context_.global->find(at);
      is_known = is_known && page && page->touched && is_written(*page, first, last) &&
                 page->touched->were_read_before(context_.now->cluster->number, first / kWordBytes,
                                                 (last - 1) / kWordBytes);
    });
    return is_known;
  });
}

/// Saves the range before it is overwritten.
/// @return false if the range is too large to be saved as a whole
bool Checker::about_to_write(std::uintptr_t begin, std::size_t bytes) {
  if (context_.shared_address(begin).block) return true;
  if (bytes > kMostSavedAtOnce) return false;
  attempt_->undo.about_to_write(begin, bytes);
  return true;
}

}  // namespace emu
