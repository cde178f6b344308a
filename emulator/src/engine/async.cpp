// Barriers in shared memory and bulk copies: emulator/async.h on top of Worker.
//
// A copy is made as late as it can be: when every lane of the block waits and one of them waits for
// it. A kernel that reads without waiting finds what was there before.
#include "emulator/async.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "block.hpp"
#include "emulator/memory.h"

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

void Worker::init_mbarrier(std::uint64_t* barrier, std::uint32_t count, const void* call_site) {
  mbarrier_at(barrier, call_site);
  if (count == 0 || count > kMostArrivals)
    fail_kernel(
        cudaErrorIllegalInstruction,
        fmt::format("an mbarrier of {} arrivals: from 1 to {} are possible", count, kMostArrivals),
        call_site);
  Mbarrier::expecting(count).store(barrier);
  time_outs_ = 0;
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
  time_outs_ = 0;
}

std::uint64_t Worker::arrive(std::uint64_t* barrier, std::uint32_t count, const void* call_site) {
  Mbarrier now = mbarrier_at(barrier, call_site);
  require_initialised(now, call_site);
  const std::uint64_t before = *barrier;
  if (count == 0 || count > now.missing)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} arrival{} at an mbarrier that waits for {}", count,
                            count == 1 ? "" : "s", std::uint64_t{now.missing}),
                call_site);
  now.missing = now.missing - count;
  now.end_phase_if_complete();
  now.store(barrier);
  time_outs_ = 0;
  return before;
}

MbarrierWait& Worker::wait_of(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  require_initialised(mbarrier_at(barrier, call_site), call_site);
  MbarrierWait& wait = mbarrier_waits_[run_.thread];
  wait = {barrier, parity, call_site, false};
  return wait;
}

// Lanes that wait for the same go on together, whoever came first: as on a device, where a warp's
// lanes meet behind the loop that waits.
bool Worker::try_wait(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  const MbarrierWait& waits = wait_of(barrier, parity, call_site);
  warp_states_[warp()].at_mbarrier |= 1u << lane();
  wait();
  return waits.is_over;
}

bool Worker::test_wait(std::uint64_t* barrier, unsigned parity, const void* call_site) {
  wait_of(barrier, parity, call_site);
  warp_states_[warp()].polling |= 1u << lane();
  yield();
  warp_states_[warp()].polling &= ~(1u << lane());
  return Mbarrier::at(barrier).is_over(parity);
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

void Worker::request(const BulkCopy& copy, const void* call_site) {
  require_initialised(mbarrier_at(copy.barrier, call_site), call_site);
  const std::uintptr_t target = number(copy.target);
  if (!log_.is_shared(target) || !log_.is_shared(target + copy.tensor.box_bytes() - 1))
    fail_kernel(cudaErrorIllegalAddress, "the target of a bulk copy must be in shared memory",
                call_site);
  check_sources(copy, call_site);
  copies_.push_back(copy);
}

/// What the copy will read must be the device's.
void Worker::check_sources(const BulkCopy& copy, const void* call_site) const {
  Allocation known{nullptr, 0};
  for (std::uint32_t i = 0; i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    if (row.bytes == 0) continue;
    const auto is_inside = [&] {
      const std::uintptr_t offset = number(row.source) - number(known.begin);
      return offset < known.bytes && row.bytes <= known.bytes - offset;
    };
    if (is_inside() || (find_allocation(row.source, &known) && is_inside())) continue;
    fail_kernel(cudaErrorIllegalAddress,
                fmt::format("a bulk copy reads {} bytes at {}, which are not all the device's",
                            row.bytes, static_cast<const void*>(row.source)),
                call_site);
  }
}

void Worker::make_copy(std::size_t index) {
  const BulkCopy copy = copies_[index];
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(index));
  copy.make();
  Mbarrier barrier = Mbarrier::at(copy.barrier);
  if (!barrier.is_initialised()) return;  // the kernel has used its memory for something else
  barrier.bytes = barrier.bytes - std::int64_t{copy.tensor.box_bytes()};
  barrier.end_phase_if_complete();
  barrier.store(copy.barrier);
  time_outs_ = 0;
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
  running.request(copy, call_site);
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
  running.request(copy, call_site);
}

}  // namespace emu
