// Operations on mbarriers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/check/checker.hpp"
#include "engine/meet/async.hpp"
#include "engine/meet/kinds.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

/// How often the waits of all lanes may time out, without a change of any mbarrier, before the
/// block counts as stuck. A try_wait may return false, and its caller may then do something else.
constexpr unsigned kMostTimeOuts = 1024;

Mbarrier mbarrier_at(const Worker& worker, const std::uint64_t* barrier, const void* call_site) {
  if (!worker.log().is_shared(number(barrier)) && !worker.window_rank(barrier))
    fail_kernel(cudaErrorIllegalAddress, "an mbarrier must be in shared memory", call_site);
  if (number(barrier) % sizeof(std::uint64_t) != 0)
    fail_kernel(cudaErrorMisalignedAddress, "an mbarrier must be at a multiple of 8 bytes",
                call_site);
  return Mbarrier::at(barrier);
}

/// Ends the phase for this lane if it has made accesses; else the warp stays together.
void end_segment(Worker& worker) {
  if (worker.log().lane_made_access()) worker.pause();
}

/// Notes a change of an mbarrier, so that lanes that wait for it look again.
void note_change(Worker& worker, const std::uint64_t* barrier) {
  const auto rank = worker.window_rank(barrier);
  Block* const block = rank ? worker.block().cluster->blocks[*rank] : &worker.block();
  block->time_outs = 0;
  block->may_go_on = true;
}

}  // namespace

Mbarrier initialised_mbarrier(const Worker& worker, const std::uint64_t* barrier,
                              const void* call_site) {
  const Mbarrier now = mbarrier_at(worker, barrier, call_site);
  if (!now.is_initialised())
    fail_kernel(cudaErrorIllegalInstruction,
                "there is no mbarrier here: is mbarrier_init, and a __syncthreads() after it, "
                "before this line?",
                call_site);
  return now;
}

void init_mbarrier(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                   const void* call_site) {
  mbarrier_at(worker, barrier, call_site);
  if (worker.counts()) worker.log().count_mbarrier_operation();
  if (count == 0 || count > kMostArrivals)
    fail_kernel(
        cudaErrorIllegalInstruction,
        fmt::format("an mbarrier of {} arrivals: from 1 to {} are possible", count, kMostArrivals),
        call_site);
  Mbarrier::expecting(count).store(barrier);
  note_change(worker, barrier);
  Checker* const checker = worker.checker();
  if (!checker) return;
  const Unrecorded unrecorded;
  checker->mbarrier_access(worker.thread(), AccessKind::store, barrier, call_site);
  if (worker.is_race_checked()) checker->race.init_mbarrier(checker->shared_address(barrier));
}

void invalidate_mbarrier(Worker& worker, std::uint64_t* barrier, const void* call_site) {
  initialised_mbarrier(worker, barrier, call_site);
  if (worker.counts()) worker.log().count_mbarrier_operation();
  *barrier = 0;
  note_change(worker, barrier);
  Checker* const checker = worker.checker();
  if (!checker) return;
  const Unrecorded unrecorded;
  // Counted as atomic: threads may have agreed by an atomic operation which of them uses the
  // mbarrier last, so this is no race.
  checker->mbarrier_access(worker.thread(), AccessKind::atomic, barrier, call_site);
}

void add_arrival(Worker& worker, std::uint64_t* barrier, const void* call_site) {
  Mbarrier now = initialised_mbarrier(worker, barrier, call_site);
  if (now.missing == kMostArrivals)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("an mbarrier cannot wait for more than {} arrivals", kMostArrivals),
                call_site);
  now.missing = now.missing + 1;
  now.store(barrier);
}

void expect(Worker& worker, std::uint64_t* barrier, std::uint32_t bytes, const void* call_site) {
  Mbarrier now = initialised_mbarrier(worker, barrier, call_site);
  if (now.bytes + std::int64_t{bytes} > kMostBytes)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("an mbarrier cannot wait for more than {} bytes", kMostBytes),
                call_site);
  now.bytes = now.bytes + std::int64_t{bytes};
  now.store(barrier);
  if (worker.counts()) worker.log().count_mbarrier_operation();
  note_change(worker, barrier);
  Checker* const checker = worker.checker();
  if (!checker) return;
  const Unrecorded unrecorded;
  checker->mbarrier_access(worker.thread(), AccessKind::atomic, barrier, call_site);
}

std::uint64_t arrive(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                     const void* call_site, bool drops) {
  if (worker.is_race_checked()) end_segment(worker);
  Mbarrier now = initialised_mbarrier(worker, barrier, call_site);
  const std::uint64_t before = *barrier;
  if (count == 0 || count > now.missing)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} arrival{} at an mbarrier that waits for {}", count,
                            count == 1 ? "" : "s", std::uint64_t{now.missing}),
                call_site);
  if (drops && count > now.expected)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} arrivals are dropped at an mbarrier whose phases wait for {}",
                            count, std::uint64_t{now.expected}),
                call_site);
  const unsigned parity = now.parity;
  if (worker.counts()) worker.log().count_mbarrier_operation();
  now.missing = now.missing - count;
  if (drops) now.expected = now.expected - count;
  const bool is_over = now.end_phase_if_complete();
  now.store(barrier);
  note_change(worker, barrier);
  Checker* const checker = worker.checker();
  if (!checker) return before;
  const Unrecorded unrecorded;
  checker->mbarrier_access(worker.thread(), AccessKind::atomic, barrier, call_site);
  if (!worker.is_race_checked()) return before;
  checker->race.arrive(worker.thread(), checker->shared_address(barrier));
  if (is_over) checker->race.end_phase_of(checker->shared_address(barrier), parity);
  return before;
}

namespace {

MbarrierWait& wait_of(Worker& worker, std::uint64_t* barrier, unsigned parity,
                      const void* call_site) {
  initialised_mbarrier(worker, barrier, call_site);
  if (worker.window_rank(barrier))
    fail_kernel(cudaErrorIllegalAddress, "a thread can wait for an mbarrier of its own block alone",
                call_site);
  MbarrierWait& wait = worker.block().mbarrier_waits[worker.thread()];
  wait = {barrier, parity & 1, call_site, false};
  if (!worker.checker()) return wait;
  const Unrecorded unrecorded;
  worker.checker()->mbarrier_access(worker.thread(), AccessKind::load, barrier, call_site);
  return wait;
}

/// Returns the result for a lane that has waited.
bool end_wait(Worker& worker, const MbarrierWait& wait) {
  if (wait.is_over && worker.is_race_checked()) {
    const Unrecorded unrecorded;
    Checker& checker = *worker.checker();
    checker.race.waited(worker.thread(), checker.shared_address(wait.barrier), wait.parity);
  }
  return wait.is_over;
}

}  // namespace

// Lanes that wait for the same phase go on together, whichever came first, as on a device, where
// the lanes of a warp reconverge behind the loop that waits.
bool try_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site) {
  const MbarrierWait& waits = wait_of(worker, barrier, parity, call_site);
  worker.state().at(Meeting::mbarrier) |= worker.bit();
  worker.wait();
  return end_wait(worker, waits);
}

bool test_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site) {
  MbarrierWait& looks = wait_of(worker, barrier, parity, call_site);
  worker.state().polling |= worker.bit();
  worker.yield();
  worker.state().polling &= ~worker.bit();
  looks.is_over = Mbarrier::at(barrier).is_over(looks.parity);
  return end_wait(worker, looks);
}

/// Lets lanes go on whose phase is complete.
void release_mbarrier_waits(Worker&, Block& block, unsigned w) {
  Warp& warp = block.warps[w];
  std::uint32_t over = 0;
  for (std::uint32_t left = warp.at(Meeting::mbarrier); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    MbarrierWait& wait = block.mbarrier_waits[w * kWarpSize + lane];
    wait.is_over = Mbarrier::at(wait.barrier).is_over(wait.parity);
    if (wait.is_over) over |= 1u << lane;
  }
  warp.release(Meeting::mbarrier, over);
}

bool time_out_waits(Block& block) {
  if (block.time_outs == kMostTimeOuts) return false;
  ++block.time_outs;
  bool any = false;
  for (Warp& warp : block.warps) {
    any |= warp.at(Meeting::mbarrier) != 0;
    warp.release(Meeting::mbarrier, warp.at(Meeting::mbarrier));
  }
  return any;
}

std::string describe_mbarrier_wait(const Block& block, unsigned thread) {
  const MbarrierWait& wait = block.mbarrier_waits[thread];
  const Mbarrier now = Mbarrier::at(wait.barrier);
  std::string text = call_in_words("an mbarrier", wait.call_site) +
                     fmt::format(", which waits for {} arrival{}", std::uint64_t{now.missing},
                                 now.missing == 1 ? "" : "s");
  if (now.bytes != 0) text += fmt::format(" and {} bytes", std::int64_t{now.bytes});
  return text;
}

}  // namespace emu
