// Barriers in shared memory and bulk copies: emulator/async.h on top of Worker.
//
// A copy is made as late as it can be: when every lane of the block waits and one of them waits for
// it. A kernel that reads without waiting finds what was there before.
#include "emulator/async.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/run/block.hpp"
#include "engine/check/checker.hpp"
#include "emulator/memory.h"
#include "engine/settings.hpp"

namespace emu {

namespace {

/// How often all lanes that wait may look in vain, without a change at any mbarrier, before the
/// block counts as stuck: a try_wait may return false, and its caller give up.
constexpr unsigned kMostTimeOuts = 1024;

constexpr unsigned kBoxAlignment = 128;

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

Worker& worker(const char* function) {
  if (Worker* running = Worker::running(); running && running->lane_is_running()) return *running;
  unsupported(function);
}

}  // namespace

// ------------------------------------------------------------------------------------- mbarriers

/// The barrier there; ends the kernel if there is none.
Mbarrier Worker::mbarrier_at(const std::uint64_t* barrier, const void* call_site) const {
  if (!log_.is_shared(number(barrier)))
    fail_kernel(cudaErrorIllegalAddress, "an mbarrier must be in shared memory", call_site);
  if (number(barrier) % sizeof(std::uint64_t) != 0)
    fail_kernel(cudaErrorMisalignedAddress, "an mbarrier must be at a multiple of 8 bytes",
                call_site);
  return Mbarrier::at(barrier);
}

/// Then a lane's earlier accesses must be in earlier segments than what it does now.
bool Worker::is_race_checked() const { return checker_ && settings().checks.race; }

/// Ends the phase for this lane if that makes a difference; else the warp stays together.
void Worker::end_segment() {
  if (log_.lane_made_access()) pause();
}

void Worker::init_mbarrier(std::uint64_t* barrier, std::uint32_t count, const void* call_site) {
  mbarrier_at(barrier, call_site);
  if (launch_->counted) log_.count_mbarrier_operation();
  if (count == 0 || count > kMostArrivals)
    fail_kernel(
        cudaErrorIllegalInstruction,
        fmt::format("an mbarrier of {} arrivals: from 1 to {} are possible", count, kMostArrivals),
        call_site);
  Mbarrier::expecting(count).store(barrier);
  time_outs_ = 0;
  if (!checker_) return;
  const Unrecorded unrecorded;
  checker_->mbarrier_access(run_.thread, AccessKind::store, barrier, call_site);
  if (is_race_checked()) checker_->race.init_mbarrier(number(barrier));
}

namespace {

void require_initialised(const Mbarrier& barrier, const void* call_site) {
  if (!barrier.is_initialised())
    fail_kernel(cudaErrorIllegalInstruction,
                "there is no mbarrier here: is mbarrier_init, and a __syncthreads() after it, "
                "before this line?",
                call_site);
}

}  // namespace

void Worker::expect(std::uint64_t* barrier, std::uint32_t bytes, const void* call_site) {
  Mbarrier now = mbarrier_at(barrier, call_site);
  require_initialised(now, call_site);
  if (now.bytes + std::int64_t{bytes} > kMostBytes)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("an mbarrier cannot wait for more than {} bytes", kMostBytes),
                call_site);
  now.bytes = now.bytes + std::int64_t{bytes};
  now.store(barrier);
  if (launch_->counted) log_.count_mbarrier_operation();
  time_outs_ = 0;
  if (!checker_) return;
  const Unrecorded unrecorded;
  checker_->mbarrier_access(run_.thread, AccessKind::atomic, barrier, call_site);
}

std::uint64_t Worker::arrive(std::uint64_t* barrier, std::uint32_t count, const void* call_site) {
  if (is_race_checked()) end_segment();
  Mbarrier now = mbarrier_at(barrier, call_site);
  require_initialised(now, call_site);
  const std::uint64_t before = *barrier;
  if (count == 0 || count > now.missing)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} arrival{} at an mbarrier that waits for {}", count,
                            count == 1 ? "" : "s", std::uint64_t{now.missing}),
                call_site);
  const unsigned parity = now.parity;
  if (launch_->counted) log_.count_mbarrier_operation();
  now.missing = now.missing - count;
  const bool is_over = now.end_phase_if_complete();
  now.store(barrier);
  time_outs_ = 0;
  if (!checker_) return before;
  const Unrecorded unrecorded;
  checker_->mbarrier_access(run_.thread, AccessKind::atomic, barrier, call_site);
  if (!is_race_checked()) return before;
  checker_->race.arrive(run_.thread, number(barrier));
  if (is_over) checker_->race.end_phase_of(number(barrier), parity);
  return before;
}

MbarrierWait& Worker::wait_of(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  require_initialised(mbarrier_at(barrier, call_site), call_site);
  MbarrierWait& wait = mbarrier_waits_[run_.thread];
  wait = {barrier, parity & 1, call_site, false};
  if (!checker_) return wait;
  const Unrecorded unrecorded;
  checker_->mbarrier_access(run_.thread, AccessKind::load, barrier, call_site);
  return wait;
}

/// The answer to a lane that has waited.
bool Worker::end_wait(const MbarrierWait& wait) {
  if (wait.is_over && is_race_checked()) {
    const Unrecorded unrecorded;
    checker_->race.waited(run_.thread, number(wait.barrier), wait.parity);
  }
  return wait.is_over;
}

// Lanes that wait for the same go on together, whoever came first: as on a device, where a warp's
// lanes meet behind the loop that waits.
bool Worker::try_wait(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  const MbarrierWait& waits = wait_of(barrier, parity, call_site);
  warp_states_[warp()].at_mbarrier |= 1u << lane();
  wait();
  return end_wait(waits);
}

bool Worker::test_wait(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  MbarrierWait& looks = wait_of(barrier, parity, call_site);
  warp_states_[warp()].polling |= 1u << lane();
  yield();
  warp_states_[warp()].polling &= ~(1u << lane());
  looks.is_over = Mbarrier::at(barrier).is_over(looks.parity);
  return end_wait(looks);
}

/// Lets those lanes go on whose phase is over.
void Worker::release_waits(unsigned index) {
  Warp& warp = warp_states_[index];
  std::uint32_t over = 0;
  for (std::uint32_t left = warp.at_mbarrier; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    MbarrierWait& wait = mbarrier_waits_[index * kWarpSize + lane];
    wait.is_over = Mbarrier::at(wait.barrier).is_over(wait.parity);
    if (wait.is_over) over |= 1u << lane;
  }
  warp.at_mbarrier &= ~over;
  warp.ready |= over;
}

/// Nobody can go on: those who try to wait are told that they have waited long enough.
bool Worker::time_out_waits() {
  if (time_outs_ == kMostTimeOuts) return false;
  ++time_outs_;
  bool any = false;
  for (Warp& warp : warp_states_) {
    any |= warp.at_mbarrier != 0;
    warp.ready |= std::exchange(warp.at_mbarrier, 0);
  }
  return any;
}

// ---------------------------------------------------------------------------------------- copies

void Worker::request(BulkCopy copy) {
  copy.thread = run_.thread;
  const void* const call_site = copy.call_site;
  if (is_race_checked()) pause();
  require_initialised(mbarrier_at(copy.barrier, call_site), call_site);
  const std::uintptr_t target = number(copy.target);
  if (!log_.is_shared(target) || !log_.is_shared(target + copy.tensor.box_bytes() - 1))
    fail_kernel(cudaErrorIllegalAddress, "the target of a bulk copy must be in shared memory",
                call_site);
  const Unrecorded unrecorded;
  if (checker_) checker_->request_copy(run_.thread, copy, call_site);
  check_sources(copy);
  if (launch_->counted) log_.count_copy(number(call_site), copy.tensor.box_bytes(), copy.sectors());
  copies_.push_back(copy);
}

/// What the copy will read must be the device's.
void Worker::check_sources(const BulkCopy& copy) const {
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
                fmt::format("a bulk copy reads {} bytes at {}, which are not all the device's",
                            row.bytes, static_cast<const void*>(row.source)),
                copy.call_site);
  }
}

void Worker::make_copy(std::size_t index) {
  const BulkCopy copy = copies_[index];
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(index));
  copy.make();
  if (checker_) checker_->made_copy(copy);
  Mbarrier barrier = Mbarrier::at(copy.barrier);
  if (!barrier.is_initialised()) return;  // the kernel has used its memory for something else
  const unsigned parity = barrier.parity;
  barrier.bytes = barrier.bytes - std::int64_t{copy.tensor.box_bytes()};
  const bool is_over = barrier.end_phase_if_complete();
  barrier.store(copy.barrier);
  time_outs_ = 0;
  if (is_over && is_race_checked()) checker_->race.end_phase_of(number(copy.barrier), parity);
}

/// The oldest copy whose barrier a lane waits at; false if there is none.
bool Worker::make_awaited_copy() {
  const auto is_awaited = [&](const BulkCopy& copy) {
    for (unsigned w = 0; w < warps_; ++w)
      for (std::uint32_t left = warp_states_[w].at_mbarrier | warp_states_[w].polling; left != 0;
           left &= left - 1)
        if (mbarrier_waits_[w * kWarpSize + static_cast<unsigned>(std::countr_zero(left))]
                .barrier == copy.barrier)
          return true;
    return false;
  };
  const auto next = std::find_if(copies_.begin(), copies_.end(), is_awaited);
  if (next == copies_.end()) return false;
  make_copy(static_cast<std::size_t>(next - copies_.begin()));
  return true;
}

// ----------------------------------------------------------------------- a thread's own copies

void Worker::store_late(void* target, const void* value, unsigned bytes, const void* call_site) {
  record_late_store(target, bytes, call_site);
  const Unrecorded unrecorded;
  if (launch_->preempted && random() % 2 == 0) {  // it may come at once, too
    std::memcpy(target, value, bytes);
    return;
  }
  if (late_stores_.empty()) late_stores_.resize(std::size_t{warps_} * kWarpSize);
  LateStores& mine = late_stores_[run_.thread];
  mine.waiting.push_back({static_cast<char*>(target), bytes, mine.closed, call_site, {}});
  std::memcpy(mine.waiting.back().value.data(), value, bytes);
}

void Worker::close_late_batch() {
  if (!late_stores_.empty()) ++late_stores_[run_.thread].closed;
}

void Worker::make_late_stores(std::size_t all_but_newest) {
  if (late_stores_.empty()) return;
  LateStores& mine = late_stores_[run_.thread];
  const auto is_due = [&](const LateStores::Store& store) {
    return store.batch + all_but_newest < mine.closed;
  };
  if (mine.waiting.empty() || !is_due(mine.waiting.front())) return;
  if (checker_) pause();  // what this lane did before is looked at before
  const Unrecorded unrecorded;
  const auto end = std::find_if_not(mine.waiting.begin(), mine.waiting.end(), is_due);
  for (auto store = mine.waiting.begin(); store != end; ++store) {
    std::memcpy(store->target, store->value.data(), store->bytes);
    if (checker_) checker_->made_store(run_.thread, store->target, store->bytes, store->call_site);
  }
  mine.waiting.erase(mine.waiting.begin(), end);
}

// ------------------------------------------------------------------------- what device code calls

void mbarrier_init(std::uint64_t* barrier, std::uint32_t count) {
  worker("an mbarrier in host code").init_mbarrier(barrier, count, __builtin_return_address(0));
}
void mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  worker("an mbarrier in host code").expect(barrier, bytes, __builtin_return_address(0));
}
std::uint64_t mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count) {
  return worker("an mbarrier in host code").arrive(barrier, count, __builtin_return_address(0));
}
bool mbarrier_try_wait(std::uint64_t* barrier, std::uint32_t parity) {
  return worker("an mbarrier in host code").try_wait(barrier, parity, __builtin_return_address(0));
}
bool mbarrier_test_wait(std::uint64_t* barrier, std::uint32_t parity) {
  return worker("an mbarrier in host code").test_wait(barrier, parity, __builtin_return_address(0));
}
std::uint32_t mbarrier_parity(std::uint64_t state) noexcept { return Mbarrier::at(&state).parity; }

void copy_bulk(void* target, const void* source, std::uint32_t bytes, std::uint64_t* barrier) {
  const void* const call_site = __builtin_return_address(0);
  Worker& running = worker("a bulk copy in host code");
  if ((number(target) | number(source) | bytes) % kCopyGrain != 0)
    fail_kernel(cudaErrorMisalignedAddress,
                "addresses and size of a bulk copy must be multiples of 16 bytes", call_site);
  if (bytes == 0) return;
  BulkCopy copy;
  copy.tensor.address = number(source);
  copy.tensor.sizes[0] = bytes;
  copy.tensor.box[0] = bytes;
  copy.tensor.rank = copy.tensor.element_bytes = 1;
  copy.target = static_cast<char*>(target);
  copy.barrier = barrier;
  copy.call_site = call_site;
  running.request(copy);
}

void copy_box(void* target, const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
              std::uint64_t* barrier) {
  const void* const call_site = __builtin_return_address(0);
  Worker& running = worker("a bulk copy in host code");
  BulkCopy copy;
  std::memcpy(&copy.tensor, tensor_map, sizeof(copy.tensor));
  if (copy.tensor.mark != TensorMap::kMark)
    fail_kernel(cudaErrorIllegalInstruction,
                "this is no tensor map that cuTensorMapEncodeTiled has written", call_site);
  if (copy.tensor.rank != rank)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} coordinates for a tensor of {} dimensions", rank, copy.tensor.rank),
                call_site);
  if (coordinates[0] * std::int64_t{copy.tensor.element_bytes} % kCopyGrain != 0)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("the box begins at element {} of its rows, which is no multiple of 16 "
                            "bytes",
                            coordinates[0]),
                call_site);
  if (number(target) % kBoxAlignment != 0)
    fail_kernel(cudaErrorMisalignedAddress,
                "the target of a tensor's box must be at a multiple of 128 bytes", call_site);
  std::copy_n(coordinates, rank, copy.at.begin());
  copy.target = static_cast<char*>(target);
  copy.barrier = barrier;
  copy.call_site = call_site;
  running.request(copy);
}

void store_late(void* target, const void* value, unsigned bytes) {
  worker("an asynchronous copy in host code")
      .store_late(target, value, bytes, __builtin_return_address(0));
}
void close_late_batch() { worker("an asynchronous copy in host code").close_late_batch(); }
void make_late_stores(std::size_t all_but_newest) {
  worker("an asynchronous copy in host code").make_late_stores(all_but_newest);
}

}  // namespace emu
