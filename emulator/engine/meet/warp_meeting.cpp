#include "engine/meet/warp_meeting.hpp"

#include <fmt/format.h>

#include <bit>

#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"
#include "engine/run/order.hpp"
#include "engine/settings.hpp"

namespace emu {

const char* name_of(WarpFunction function) {
  switch (function) {
    case WarpFunction::sync:
      return "__syncwarp";
    case WarpFunction::ballot:
      return "__ballot_sync";
    case WarpFunction::all:
      return "__all_sync";
    case WarpFunction::any:
      return "__any_sync";
    case WarpFunction::uniform:
      return "__uni_sync";
    case WarpFunction::match_any:
      return "__match_any_sync";
    case WarpFunction::match_all:
      return "__match_all_sync";
    case WarpFunction::reduce:
      return "__reduce_*_sync";
    case WarpFunction::together:
      return "an instruction of the whole warp";
    case WarpFunction::shuffle_index:
      return "__shfl_sync";
    case WarpFunction::shuffle_up:
      return "__shfl_up_sync";
    case WarpFunction::shuffle_down:
      return "__shfl_down_sync";
    case WarpFunction::shuffle_xor:
      return "__shfl_xor_sync";
  }
  return "a warp function";
}

unsigned lane_turn = 0;

namespace {

// The result of a shuffle from a lane that takes no part: a number that nobody expects.
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

/// Returns the lane that a shuffle reads instead of `source`: `lane_turn` places further among the
/// lanes that take part, cyclically.
unsigned turned(unsigned source, std::uint32_t lanes) {
  if (lane_turn == 0) return source;
  for (unsigned left = lane_turn % static_cast<unsigned>(std::popcount(lanes)); left > 0; --left) do
      source = (source + 1) % kWarpSize;
    while (!(lanes >> source & 1));
  return source;
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
  const auto value_of = [&](unsigned lane) { return warp[turned(lane, lanes)].warp_call.value; };
  std::uint32_t true_lanes = 0;
  for_each(lanes, [&](unsigned lane) {
    if (value_of(lane)) true_lanes |= 1u << lane;
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
          if (value_of(other) == value_of(lane)) equal |= 1u << other;
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
      give_all(total);
      if (lane_turn != 0)
        for_each(lanes, [&](unsigned lane) {
          warp[lane].warp_call.result = static_cast<unsigned>(value_of(lane));
        });
      return;
    }
    case WarpFunction::together: {
      constexpr std::uint32_t kAll = 0xffffffff;
      std::array<void*, kWarpSize> brought{};
      for_each(lanes, [&](unsigned lane) {
        brought[lane] = reinterpret_cast<void*>(warp[lane].warp_call.value);
      });
      const WarpRefusal* const refusal = lanes == kAll ? one.work(brought) : &kLanesDiffer;
      return give_all(reinterpret_cast<std::uint64_t>(refusal));
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
        call.result = defined ? value_of(source) : kUndefined;
        call.absent_source = defined ? -1 : static_cast<int>(source);
      });
      return;
  }
}

namespace {

/// Checks shuffles from lanes that take no part, and records what a __syncwarp orders.
void check_warp_call(Worker& worker, const Block& block, WarpFunction function,
                     std::uint32_t arrived, bool all_alive) {
  Checker& checker = *worker.checker();
  const unsigned w = block.phase_warp;
  if (function == WarpFunction::sync) return checker.race.warp_barrier(w, arrived, all_alive);
  if (function < WarpFunction::shuffle_index) return;
  for_each(arrived, [&](unsigned lane) {
    const WarpCall& call = block.warps[w].lanes[lane].warp_call;
    if (call.absent_source < 0) return;
    const auto source = static_cast<unsigned>(call.absent_source);
    // A lane that the block does not have, and that the mask does not name, is ignored: its value
    // is usually not used.
    const bool is_there = w * kWarpSize + source < block.threads;
    if (is_there || call.mask >> source & 1)
      checker.sync.undefined_source(name_of(function), call.mask, source, is_there,
                                    w * kWarpSize + lane, call.call_site);
  });
}

}  // namespace

void complete_warp_calls(Worker& worker, Block& block, unsigned w) {
  Warp& warp = block.warps[w];
  const std::uint32_t alive = warp.alive();
  std::uint32_t left = warp.at(Meeting::warp);
  while (left) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const WarpCall& call = warp.lanes[first].warp_call;
    const std::uint32_t wanted = call.mask & alive;  // lanes that have exited are not waited for
    std::uint32_t arrived = 0;
    for (unsigned lane = first; lane < kWarpSize; ++lane)
      if (left >> lane & 1 && warp.lanes[lane].warp_call.mask == call.mask &&
          warp.lanes[lane].warp_call.function == call.function &&
          (call.function != WarpFunction::together || warp.lanes[lane].warp_call.work == call.work))
        arrived |= 1u << lane;
    left &= ~arrived;
    if ((arrived & wanted) != wanted) continue;
    resolve(warp.lanes, arrived);
    if (worker.counts() && call.function != WarpFunction::sync &&
        call.function != WarpFunction::together)
      worker.log().count_warp_function(call.function == WarpFunction::reduce);
    if (worker.checker()) check_warp_call(worker, block, call.function, arrived, arrived == alive);
    warp.release(Meeting::warp, arrived);
  }
}

std::string describe_warp_wait(const Block& block, unsigned thread) {
  const WarpCall& call = block.lane(thread).warp_call;
  if (call.function == WarpFunction::together)
    return call_in_words(call.name, call.call_site) + ", which takes all 32 lanes of the warp";
  return call_in_words(name_of(call.function), call.call_site) +
         fmt::format(" with mask 0x{:08x}", call.mask);
}

void refuse_mask(Worker& worker, WarpFunction function, unsigned mask, const void* call_site) {
  if (Checker* const checker = worker.checker()) {
    const Unrecorded unrecorded;
    checker->sync.mask_lacks_caller(name_of(function), mask, worker.thread(), call_site);
  }
  const bool is_told = worker.checker() && settings().checks.sync;
  fail_kernel(cudaErrorIllegalInstruction,
              is_told
                  ? ""
                  : fmt::format("{} with mask 0x{:08x}, which does not name the calling lane {}",
                                name_of(function), mask, worker.lane()),
              call_site);
}

void warp_together(WorkOfWarp work, void* mine, const char* name, const void* call_site) {
  constexpr unsigned kAll = 0xffffffff;
  const auto* const refusal = reinterpret_cast<const WarpRefusal*>(
      meet_warp(worker_of_lane(name), WarpFunction::together, kAll, call_site, [=](WarpCall& call) {
        call.value = reinterpret_cast<std::uint64_t>(mine);
        call.work = work;
        call.name = name;
      }));
  if (!refusal) return;
  constexpr unsigned kReadBytes = 16;
  if (Checker* const checker = Worker::running()->checker(); checker && refusal->address)
    checker->memory.check(reinterpret_cast<std::uintptr_t>(refusal->address), kReadBytes,
                          AccessKind::load, reinterpret_cast<std::uintptr_t>(call_site));
  fail_kernel(refusal->error,
              refusal->message.empty()
                  ? fmt::format("{} takes all 32 lanes of the warp, at the same call", name)
                  : refusal->message,
              call_site);
}

unsigned meet_active(Worker& worker, const void* call_site) {
  Warp& state = worker.state();
  Lane& mine = state.lanes[worker.lane()];
  mine.warp_call.call_site = call_site;
  state.at(Meeting::active_mask) |= worker.bit();
  worker.wait();
  return static_cast<unsigned>(mine.warp_call.result);
}

namespace {

void answer(Warp& warp) {
  while (const std::uint32_t waiting = warp.at(Meeting::active_mask)) {
    const auto first = static_cast<unsigned>(std::countr_zero(waiting));
    std::uint32_t together = 0;  // lanes at the same call, which have arrived together
    for_each(waiting, [&](unsigned lane) {
      if (warp.lanes[lane].warp_call.call_site == warp.lanes[first].warp_call.call_site)
        together |= 1u << lane;
    });
    for_each(together, [&](unsigned lane) { warp.lanes[lane].warp_call.result = together; });
    warp.release(Meeting::active_mask, together);
  }
}

}  // namespace

void answer_active_mask(Worker&, Block& block, unsigned w) {
  if (block.turns->answers_active_mask(block, block.warps[w])) answer(block.warps[w]);
}

bool answer_active_masks(Worker&, Block& block) {
  for (Warp& warp : block.warps) answer(warp);
  return true;
}

}  // namespace emu
