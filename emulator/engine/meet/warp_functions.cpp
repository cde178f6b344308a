// Implements the functions of device.h in which lanes of a warp meet.
#include <bit>
#include <chrono>

#include "emulator/judging.h"
#include "engine/meet/block_barrier.hpp"
#include "engine/meet/kinds.hpp"
#include "engine/meet/warp_meeting.hpp"
#include "engine/run/queue.hpp"

namespace emu {

namespace {

[[gnu::always_inline]] inline std::uint64_t meet(WarpFunction function, unsigned mask,
                                                 std::uint64_t value, const void* call_site,
                                                 ReduceOp reduce = ReduceOp::add) {
  return meet_warp(worker_of_lane("a warp function in host code"), function, mask, call_site,
                   [=](WarpCall& call) {
                     call.value = value;
                     call.reduce = reduce;
                   });
}

bool warps_are_parted = false;

/// Returns the half of `lanes`, lower or upper, that contains `lane`.
unsigned half_with(unsigned lane, unsigned lanes) {
  unsigned lower = lanes;
  for (int left = std::popcount(lanes) / 2; left > 0; --left)
    lower &= ~(1u << (std::bit_width(lower) - 1));
  return lower >> lane & 1 ? lower : lanes & ~lower;
}

/// Returns the lanes that are at the same call; after set_parted_warps(true) only the half with
/// this lane.
unsigned lanes_together(Worker& worker, const void* call_site) {
  const unsigned all = meet_active(worker, call_site);
  return warps_are_parted ? half_with(worker.lane(), all) : all;
}

}  // namespace

void set_parted_warps(bool on) noexcept {
  finish_all();
  warps_are_parted = on;
}
void set_lane_turn(unsigned lanes) noexcept {
  finish_all();
  lane_turn = lanes;
}

unsigned lane_id() noexcept { return Worker::running() ? Worker::running()->lane() : 0; }
unsigned warp_id() noexcept { return Worker::running() ? Worker::running()->warp() : 0; }
bool in_kernel() noexcept { return Worker::running() && Worker::running()->lane_is_running(); }

std::uint64_t warp_shuffle(ShuffleMode mode, unsigned mask, std::uint64_t value, int lane_or_delta,
                           int width) {
  if (width < 1 || width > 32 || !std::has_single_bit(static_cast<unsigned>(width)))
    fail_kernel(cudaErrorIllegalInstruction, "a shuffle's width must be 1, 2, 4, 8, 16 or 32",
                __builtin_return_address(0));
  const auto function = static_cast<WarpFunction>(static_cast<int>(WarpFunction::shuffle_index) +
                                                  static_cast<int>(mode));
  return meet_warp(worker_of_lane("a shuffle in host code"), function, mask,
                   __builtin_return_address(0), [=](WarpCall& call) {
                     call.value = value;
                     call.lane_or_delta = lane_or_delta;
                     call.width = width;
                   });
}

unsigned warp_ballot(unsigned mask, bool predicate) {
  return static_cast<unsigned>(
      meet(WarpFunction::ballot, mask, predicate, __builtin_return_address(0)));
}
bool warp_all(unsigned mask, bool predicate) {
  return meet(WarpFunction::all, mask, predicate, __builtin_return_address(0)) != 0;
}
bool warp_any(unsigned mask, bool predicate) {
  return meet(WarpFunction::any, mask, predicate, __builtin_return_address(0)) != 0;
}
bool warp_uniform(unsigned mask, bool predicate) {
  return meet(WarpFunction::uniform, mask, predicate, __builtin_return_address(0)) != 0;
}
unsigned warp_match_any(unsigned mask, std::uint64_t bits) {
  return static_cast<unsigned>(
      meet(WarpFunction::match_any, mask, bits, __builtin_return_address(0)));
}
unsigned warp_match_all(unsigned mask, std::uint64_t bits, int* predicate) {
  const auto lanes =
      static_cast<unsigned>(meet(WarpFunction::match_all, mask, bits, __builtin_return_address(0)));
  *predicate = lanes != 0;
  return lanes;
}
unsigned warp_reduce(ReduceOp operation, unsigned mask, unsigned value) {
  return static_cast<unsigned>(
      meet(WarpFunction::reduce, mask, value, __builtin_return_address(0), operation));
}
void warp_sync(unsigned mask) { meet(WarpFunction::sync, mask, 0, __builtin_return_address(0)); }

unsigned coalesced_lanes() {
  return lanes_together(worker_of_lane("coalesced_threads() in host code"),
                        __builtin_return_address(0));
}
unsigned active_mask() {
  return lanes_together(worker_of_lane("__activemask() in host code"), __builtin_return_address(0));
}

void block_sync() {
  meet_block(worker_of_lane("__syncthreads() in host code"), 0, __builtin_return_address(0));
}
int block_sync_count(int predicate) {
  return meet_block(worker_of_lane("__syncthreads_count() in host code"), predicate,
                    __builtin_return_address(0))
      .predicates;
}
int block_sync_and(int predicate) {
  const BarrierResult barrier = meet_block(worker_of_lane("__syncthreads_and() in host code"),
                                           predicate, __builtin_return_address(0));
  return barrier.predicates == barrier.participants;
}
int block_sync_or(int predicate) {
  return meet_block(worker_of_lane("__syncthreads_or() in host code"), predicate,
                    __builtin_return_address(0))
             .predicates != 0;
}

// A sleeping lane lets others run, which they need not use. Where random orders are tried, a sleep
// ends at once.
void yield() {
  if (!in_kernel() || Worker::running()->runs_block_form()) return;
  if (!Worker::running()->launch().preempted) Worker::running()->yield();
}

// A lane that has filled its log has run long. One that waits for a lock yields many rounds for
// that.
void pause_lane() {
  constexpr std::uint64_t kRounds = 256;
  Worker& worker = *Worker::running();
  if (worker.launch().checked) worker.block().rounds_alone += kRounds;
  worker.pause();
}

}  // namespace emu
