// Bulk copies and a thread's own asynchronous copies.
//
// A copy is made as late as possible: when every lane of the block waits, and one of them waits for
// the copy. So a kernel that reads without waiting finds the old values.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/memory.h"
#include "engine/check/checker.hpp"
#include "engine/meet/async.hpp"

namespace emu {

namespace {

/// Ends the kernel if the copy would access memory that is not the device's.
void check_global_memory(const BulkCopy& copy, const char* action) {
  Allocation known{nullptr, 0};
  for (std::uint32_t i = 0; i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    if (row.bytes == 0) continue;
    const auto is_inside = [&] {
      const std::uintptr_t offset = number(row.source) - number(known.begin);
      return offset < known.bytes && row.bytes <= known.bytes - offset;
    };
    if (is_inside() || (find_allocation(row.source, &known) && is_inside()) ||
        (in_arena(row.source) && is_mapped(row.source, row.bytes)))
      continue;
    fail_kernel(cudaErrorIllegalAddress,
                fmt::format("a bulk copy {} {} bytes at {}, which are not all the device's", action,
                            row.bytes, static_cast<const void*>(row.source)),
                copy.call_site);
  }
}

/// Returns the block whose shared memory the copy fills.
Block& target_block(Worker& worker, unsigned rank, const void* call_site) {
  Block& mine = worker.block();
  if (rank == mine.rank) return mine;
  Block* const block =
      mine.cluster && rank < mine.cluster->blocks.size() ? mine.cluster->blocks[rank] : nullptr;
  if (!block)
    fail_kernel(cudaErrorLaunchFailure,
                fmt::format("block {} of the cluster is not there (any more, or yet): is a barrier "
                            "of the cluster on every way to this line?",
                            rank),
                call_site);
  return *block;
}

}  // namespace

void request_copy(Worker& worker, BulkCopy copy, unsigned rank, const void* staged_from,
                  bool reads_again) {
  copy.thread = worker.thread();
  const void* const call_site = copy.call_site;
  if (worker.is_race_checked()) worker.pause();
  Block& target = target_block(worker, rank, call_site);
  const bool is_mine = &target == &worker.block();
  if (is_mine) initialised_mbarrier(worker, copy.barrier, call_site);
  const std::uintptr_t begin = number(copy.target);
  if (!worker.log().is_shared(begin) ||
      !worker.log().is_shared(begin + copy.tensor.box_bytes() - 1))
    fail_kernel(cudaErrorIllegalAddress, "the target of a bulk copy must be in shared memory",
                call_site);
  const Unrecorded unrecorded;
  const bool is_of_global_memory = !copy.staged;
  if (worker.checker())
    worker.checker()->request_copy(worker.thread(), copy, target, staged_from, call_site);
  if (is_of_global_memory) check_global_memory(copy, "reads");
  if (worker.counts())
    worker.log().count_copy(number(call_site), copy.tensor.box_bytes(),
                            is_of_global_memory && !reads_again ? copy.sectors() : 0);
  target.may_go_on = true;
  target.copies.push_back(std::move(copy));
}

void Worker::make_copy(Block& block, std::size_t index) {
  const BulkCopy copy = block.copies[index];
  block.copies.erase(block.copies.begin() + static_cast<std::ptrdiff_t>(index));
  copy.make();
  if (checker_) checker_->made_copy(copy);
  Mbarrier barrier = Mbarrier::at(copy.barrier);
  if (!barrier.is_initialised()) return;  // the kernel has reused the mbarrier's memory
  const unsigned parity = barrier.parity;
  barrier.bytes = barrier.bytes - std::int64_t{copy.tensor.box_bytes()};
  const bool is_over = barrier.end_phase_if_complete();
  barrier.store(copy.barrier);
  block.time_outs = 0;
  if (is_over && is_race_checked())
    checker_->race.end_phase_of(checker_->shared_address(copy.barrier), parity);
}

bool make_awaited_copy(Worker& worker, Block& block) {
  const auto is_awaited = [&](const BulkCopy& copy) {
    for (unsigned w = 0; w < block.warps.size(); ++w)
      for (std::uint32_t left = block.warps[w].at(Meeting::mbarrier) | block.warps[w].polling;
           left != 0; left &= left - 1)
        if (block.mbarrier_waits[w * kWarpSize + static_cast<unsigned>(std::countr_zero(left))]
                .barrier == copy.barrier)
          return true;
    return false;
  };
  const auto next = std::find_if(block.copies.begin(), block.copies.end(), is_awaited);
  if (next == block.copies.end()) return false;
  worker.make_copy(block, static_cast<std::size_t>(next - block.copies.begin()));
  return true;
}

void wait_for_reads(Worker& worker, AsyncRead::By by, std::uint64_t all_but_newest) {
  if (!worker.is_race_checked()) return;
  RaceCheck& race = worker.checker()->race;
  if (!race.awaits_reads(by, worker.thread(), all_but_newest)) return;
  // Ends the phase, so that the lane's earlier accesses are checked first.
  if (worker.log().lane_made_access()) worker.pause();
  const Unrecorded unrecorded;
  race.waited_for_reads(by, worker.thread(), all_but_newest);
}

// Copies out of shared memory. They read and write as late as possible, too: when their thread
// waits until they have read, or are complete.

namespace {

void make_store(Worker& worker, const BulkCopy& copy) {
  copy.store();
  if (worker.checker()) worker.checker()->made_bulk_store(copy);
}

}  // namespace

void request_store(Worker& worker, BulkCopy copy) {
  copy.thread = worker.thread();
  if (worker.is_race_checked()) worker.pause();
  const std::uintptr_t begin = number(copy.target);
  if (!worker.log().is_shared(begin) ||
      !worker.log().is_shared(begin + copy.tensor.box_bytes() - 1))
    fail_kernel(cudaErrorIllegalAddress, "the source of this copy must be the block's own",
                copy.call_site);
  const Unrecorded unrecorded;
  if (worker.checker()) worker.checker()->request_store(worker.thread(), copy, copy.call_site);
  check_global_memory(copy, "writes");
  if (worker.counts())
    worker.log().count_bulk_store(number(copy.call_site), copy.tensor.box_bytes(), copy.sectors());
  Block& block = worker.block();
  if (worker.launch().preempted && block.random() % 2 == 0)
    return make_store(worker, copy);  // a random order may also make it at once
  if (block.bulk_stores.empty()) block.bulk_stores.resize(block.warps.size() * kWarpSize);
  BulkStores& mine = block.bulk_stores[worker.thread()];
  const std::uint64_t group = mine.committed;
  mine.waiting.push_back({std::move(copy), group});
}

void make_bulk_stores(Worker& worker, std::uint64_t all_but_newest) {
  wait_for_reads(worker, AsyncRead::By::bulk_store, all_but_newest);
  Block& block = worker.block();
  if (block.bulk_stores.empty()) return;
  BulkStores& mine = block.bulk_stores[worker.thread()];
  const Unrecorded unrecorded;
  std::erase_if(mine.waiting, [&](const BulkStores::Store& store) {
    if (store.group + all_but_newest >= mine.committed) return false;
    make_store(worker, store.copy);
    return true;
  });
}

void commit_bulk_stores(Worker& worker) {
  Block& block = worker.block();
  if (!block.bulk_stores.empty()) ++block.bulk_stores[worker.thread()].committed;
  if (!worker.is_race_checked()) return;
  const Unrecorded unrecorded;
  worker.checker()->race.commit_reads(AsyncRead::By::bulk_store, worker.thread());
}

void make_all_bulk_stores(Worker& worker, Block& block) {
  for (BulkStores& of_thread : block.bulk_stores) {
    for (const BulkStores::Store& store : of_thread.waiting) make_store(worker, store.copy);
    of_thread.waiting.clear();
  }
}

// A thread's own copies.

void store_late(Worker& worker, void* target, const void* value, unsigned bytes,
                const void* call_site) {
  record_late_store(target, bytes, call_site);
  const Unrecorded unrecorded;
  Block& block = worker.block();
  // A random order may also make it at once.
  if (worker.launch().preempted && block.random() % 2 == 0) {
    std::memcpy(target, value, bytes);
    return;
  }
  if (block.late_stores.empty()) block.late_stores.resize(block.warps.size() * kWarpSize);
  LateStores& mine = block.late_stores[worker.thread()];
  mine.waiting.push_back({static_cast<char*>(target), bytes, mine.closed, call_site, {}});
  std::memcpy(mine.waiting.back().value.data(), value, bytes);
}

namespace {

/// Makes the running lane's oldest late stores, as long as is_due(store, number of closed batches).
/// @param is_wait the lane has waited for these copies
template <class IsDue>
void make_oldest_stores(Worker& worker, bool is_wait, const IsDue& is_due_of) {
  Block& block = worker.block();
  if (block.late_stores.empty()) return;
  LateStores& mine = block.late_stores[worker.thread()];
  const auto is_due = [&](const LateStores::Store& store) { return is_due_of(store, mine.closed); };
  if (mine.waiting.empty() || !is_due(mine.waiting.front())) return;
  Checker* const checker = worker.checker();
  // Ends the phase, so that the lane's earlier accesses are checked first.
  if (checker) worker.pause();
  const Unrecorded unrecorded;
  const auto end = std::find_if_not(mine.waiting.begin(), mine.waiting.end(), is_due);
  for (auto store = mine.waiting.begin(); store != end; ++store) {
    std::memcpy(store->target, store->value.data(), store->bytes);
    if (!checker) continue;
    checker->made_store(worker.thread(), store->target, store->bytes, store->call_site);
    if (is_wait) worker.log().end_late_copy(worker.thread() % kWarpSize, store->bytes);
  }
  mine.waiting.erase(mine.waiting.begin(), end);
  // So that the stores are in an earlier segment than the lane's next accesses and arrivals.
  if (checker) worker.pause();
}

}  // namespace

void make_late_stores(Worker& worker, std::size_t all_but_newest) {
  make_oldest_stores(worker, true, [&](const LateStores::Store& store, std::size_t closed) {
    return store.batch + all_but_newest < closed;
  });
}

void arrive_after_late_stores(Worker& worker, std::uint64_t* barrier, const void* call_site) {
  make_oldest_stores(worker, false, [](const LateStores::Store&, std::size_t) { return true; });
  arrive(worker, barrier, 1, call_site);
}

}  // namespace emu
