// The functions in which lanes meet: device.h on top of Worker.
#include <bit>
#include <chrono>

#include "engine/run/block.hpp"

namespace emu {

namespace {

// What a shuffle reads from a lane that takes no part: no number anyone would expect.
constexpr std::uint64_t kUndefined = 0xdeadbeefdeadbeefu;

unsigned shuffle_source(const WarpCall& call, unsigned lane, bool& own) {
  const auto width = static_cast<unsigned>(call.width);
  const unsigned first = lane & ~(width - 1), last = first | (width - 1);
  const auto operand = static_cast<unsigned>(call.lane_or_delta);
  unsigned source = lane;
  own = false;
  switch (call.function) {
    case WarpFunction::shuffle_index:
      source = first | (operand & (width - 1));
      break;
    case WarpFunction::shuffle_up:
      own = operand > lane - first;
      source = lane - operand;
      break;
    case WarpFunction::shuffle_down:
      own = operand > last - lane;
      source = lane + operand;
      break;
    default:
      source = lane ^ operand;
      own = source > last;
      break;
  }
  return own ? lane : source;
}

unsigned reduced(ReduceOp operation, unsigned a, unsigned b) {
  const auto signed_a = static_cast<int>(a), signed_b = static_cast<int>(b);
  switch (operation) {
    case ReduceOp::add:
      return a + b;
    case ReduceOp::min_signed:
      return signed_a < signed_b ? a : b;
    case ReduceOp::max_signed:
      return signed_a > signed_b ? a : b;
    case ReduceOp::min_unsigned:
      return a < b ? a : b;
    case ReduceOp::max_unsigned:
      return a > b ? a : b;
    case ReduceOp::and_:
      return a & b;
    case ReduceOp::or_:
      return a | b;
    case ReduceOp::xor_:
      return a ^ b;
  }
  return a;
}

template <class Body>
void for_each(std::uint32_t lanes, Body&& body) {
  for (; lanes; lanes &= lanes - 1) body(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

void resolve(std::array<Lane, kWarpSize>& warp, std::uint32_t lanes) {
  const WarpCall& one = warp[static_cast<unsigned>(std::countr_zero(lanes))].warp_call;
  std::uint32_t true_lanes = 0;
  for_each(lanes, [&](unsigned lane) {
    if (warp[lane].warp_call.value) true_lanes |= 1u << lane;
  });
  const auto give_all = [&](std::uint64_t result) {
    for_each(lanes, [&](unsigned lane) { warp[lane].warp_call.result = result; });
  };
  switch (one.function) {
    case WarpFunction::sync:
      return;
    case WarpFunction::ballot:
      return give_all(true_lanes);
    case WarpFunction::all:
      return give_all(true_lanes == lanes);
    case WarpFunction::any:
      return give_all(true_lanes != 0);
    case WarpFunction::uniform:
      return give_all(true_lanes == lanes || true_lanes == 0);
    case WarpFunction::match_any:
    case WarpFunction::match_all:
      for_each(lanes, [&](unsigned lane) {
        std::uint32_t equal = 0;
        for_each(lanes, [&](unsigned other) {
          if (warp[other].warp_call.value == warp[lane].warp_call.value) equal |= 1u << other;
        });
        warp[lane].warp_call.result =
            one.function == WarpFunction::match_any || equal == lanes ? equal : 0;
      });
      return;
    case WarpFunction::reduce: {
      bool first = true;
      unsigned total = 0;
      for_each(lanes, [&](unsigned lane) {
        const auto value = static_cast<unsigned>(warp[lane].warp_call.value);
        total = first ? value : reduced(one.reduce, total, value);
        first = false;
      });
      return give_all(total);
    }
    case WarpFunction::shuffle_index:
    case WarpFunction::shuffle_up:
    case WarpFunction::shuffle_down:
    case WarpFunction::shuffle_xor:
      for_each(lanes, [&](unsigned lane) {
        WarpCall& call = warp[lane].warp_call;
        bool own = false;
        const unsigned source = shuffle_source(call, lane, own) % kWarpSize;
        const bool defined = own || (lanes >> source & 1);
        call.result = defined ? warp[source].warp_call.value : kUndefined;
        call.absent_source = defined ? -1 : static_cast<int>(source);
      });
      return;
  }
}

namespace {

[[gnu::always_inline]] inline Worker& worker(const char* function) {
  if (Worker* running = Worker::running(); running && running->lane_is_running()) return *running;
  unsupported(function);
}

[[gnu::always_inline]] inline std::uint64_t meet(WarpFunction function, unsigned mask,
                                                 std::uint64_t value, const void* call_site,
                                                 ReduceOp reduce = ReduceOp::add) {
  return worker("a warp function in host code")
      .meet_warp(function, mask, call_site, [=](WarpCall& call) {
        call.value = value;
        call.reduce = reduce;
      });
}

}  // namespace

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
  return worker("a shuffle in host code")
      .meet_warp(function, mask, __builtin_return_address(0), [=](WarpCall& call) {
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

unsigned active_mask() {
  return worker("__activemask() in host code").meet_active(__builtin_return_address(0));
}

void block_sync() {
  worker("__syncthreads() in host code").meet_block(0, __builtin_return_address(0));
}
int block_sync_count(int predicate) {
  return worker("__syncthreads_count() in host code")
      .meet_block(predicate, __builtin_return_address(0))
      .predicates;
}
int block_sync_and(int predicate) {
  const auto barrier =
      worker("__syncthreads_and() in host code").meet_block(predicate, __builtin_return_address(0));
  return barrier.predicates == barrier.participants;
}
int block_sync_or(int predicate) {
  return worker("__syncthreads_or() in host code")
             .meet_block(predicate, __builtin_return_address(0))
             .predicates != 0;
}

// Whoever sleeps gives the others time, but they need not use it: where other orders are tried out,
// a sleep is over at once.
void yield() {
  if (in_kernel() && !Worker::running()->launch().preempted) Worker::running()->yield();
}

void pause_lane() { Worker::running()->pause(); }

std::uint64_t clock() noexcept {
  using std::chrono::steady_clock, std::chrono::nanoseconds;
  const auto now = std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(now.count());
}

}  // namespace emu
