#include "engine/meet/block_barrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

/// The warps that share a barrier.
struct Warps {
  unsigned first, count;
};

bool is_of_tile(unsigned id) { return id >= kBarriers; }

/// Returns the number of the barrier of a tile of `warps` warps: the tiles of one size have
/// consecutive numbers, behind those of all larger tiles.
unsigned barrier_of_tile(unsigned warp, unsigned warps) {
  return kBarriers + TileValues::kWarps / warps - 1 + warp / warps;
}

/// Returns the warps whose lanes may be at a barrier.
Warps warps_of(const Block& block, unsigned id, unsigned threads) {
  const auto all = static_cast<unsigned>(block.warps.size());
  if (!is_of_tile(id)) return {0, all};
  const unsigned count = threads / kWarpSize;
  const unsigned first = (id + 1 - kBarriers - TileValues::kWarps / count) * count;
  return {first, std::min(count, all - first)};
}

/// The threads that wait at a barrier: [warp], a mask of lanes.
struct Waiting {
  std::vector<std::uint32_t> lanes;
  BarrierResult result;
  unsigned warps = 0;
};

Waiting waiting_at(const Block& block, unsigned id, unsigned threads) {
  Waiting waiting;
  waiting.lanes.resize(block.warps.size());
  const Warps warps = warps_of(block, id, threads);
  for (unsigned w = warps.first; w < warps.first + warps.count; ++w) {
    const Warp& warp = block.warps[w];
    std::uint32_t& lanes = waiting.lanes[w];
    for (std::uint32_t left = warp.at(Meeting::block); left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const BlockCall& call = warp.lanes[lane].block_call;
      if (call.id != id || call.threads != threads) continue;
      lanes |= 1u << lane;
      waiting.result.predicates += call.predicate != 0;
    }
    waiting.result.participants += std::popcount(lanes);
    waiting.warps += lanes != 0;
  }
  return waiting;
}

/// Completes a barrier for `threads` threads if as many have arrived.
void end_if_complete(Worker& worker, Block& block, unsigned id, unsigned threads) {
  const Waiting waiting = waiting_at(block, id, threads);
  BarrierArrivals none;  // at a tile's barrier nobody arrives without waiting
  BarrierArrivals& arrivals = is_of_tile(id) ? none : block.arrivals[id];
  if (static_cast<unsigned>(waiting.result.participants) + arrivals.count < threads) return;
  if (worker.is_race_checked())
    worker.checker()->race.barrier_of_some(waiting.lanes, id, arrivals.count == 0);
  arrivals = {};
  if (worker.counts()) worker.log().count_barrier(waiting.warps);
  if (!is_of_tile(id)) {
    block.barriers[id] = waiting.result;
  } else if (block.tiles) {
    const Warps warps = warps_of(block, id, threads);
    const std::size_t size = TileValues::index_of_size(warps.count);
    std::copy_n(&block.tiles->given[size][warps.first], warps.count,
                &block.tiles->taken[size][warps.first]);
  }
  for (unsigned w = 0; w < block.warps.size(); ++w)
    block.warps[w].release(Meeting::block, waiting.lanes[w]);
}

void wait_at_barrier(Worker& worker, const BlockCall& call) {
  Warp& state = worker.state();
  state.lanes[worker.lane()].block_call = call;
  state.at(Meeting::block) |= worker.bit();
  worker.wait();
}

}  // namespace

BarrierResult meet_block(Worker& worker, int predicate, const void* call_site, unsigned id,
                         unsigned threads) {
  wait_at_barrier(worker, {predicate, id, threads, call_site});
  return worker.block().barriers[id];
}

void meet_tile(Worker& worker, unsigned threads, const void* call_site) {
  const unsigned id = barrier_of_tile(worker.warp(), threads / kWarpSize);
  wait_at_barrier(worker, {0, id, threads, call_site});
}

void exchange_in_tile(Worker& worker, unsigned threads, bool gives, std::uint64_t value,
                      std::uint64_t* values, const void* call_site) {
  std::unique_ptr<TileValues>& tiles = worker.block().tiles;
  if (!tiles) tiles = std::make_unique<TileValues>();
  const unsigned warp = worker.warp(), warps = threads / kWarpSize;
  const std::size_t size = TileValues::index_of_size(warps);
  if (gives) tiles->given[size][warp] = value;
  meet_tile(worker, threads, call_site);
  const TileValues& now = *worker.block().tiles;
  std::copy_n(&now.taken[size][warp / warps * warps], warps, values);
}

void arrive_at_barrier(Worker& worker, unsigned id, unsigned threads, const void* call_site) {
  Block& block = worker.block();
  // Accesses behind this call must be in a later segment.
  if (worker.is_race_checked() && worker.log().lane_made_access()) worker.pause();
  BarrierArrivals& arrivals = block.arrivals[id];
  if (arrivals.count != 0 && arrivals.threads != threads)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("barrier {} is for {} threads here, and for {} elsewhere", id, threads,
                            arrivals.threads),
                call_site);
  ++arrivals.count;
  arrivals.threads = threads;
  if (worker.is_race_checked()) {
    const Unrecorded unrecorded;
    worker.checker()->race.arrive_at_barrier(worker.thread(), id, arrivals.count == 1);
  }
  end_if_complete(worker, block, id, threads);
}

/// Completes the barriers for a given number of threads at which lanes of the warp wait, if enough
/// have arrived.
void complete_counted_barriers(Worker& worker, Block& block, unsigned w) {
  const Warp& warp = block.warps[w];
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.at(Meeting::block)));
  const BlockCall call = warp.lanes[lane].block_call;
  if (call.threads == 0) return;
  end_if_complete(worker, block, call.id, call.threads);
}

/// Completes a barrier for all threads of the block when all that have not exited wait there.
bool complete_barriers(Worker& worker, Block& block) {
  const BlockCall* first = nullptr;
  BarrierResult result;
  unsigned warps = 0;
  for (const Warp& warp : block.warps) {
    const std::uint32_t waiting = warp.at(Meeting::block);
    if (warp.alive() != waiting) return false;
    warps += waiting != 0;
    result.participants += std::popcount(waiting);
    for (std::uint32_t left = waiting; left; left &= left - 1) {
      const BlockCall& call = warp.lanes[static_cast<unsigned>(std::countr_zero(left))].block_call;
      if (!first) first = &call;
      if (call.threads != 0 || call.id != first->id) return false;
      result.predicates += call.predicate != 0;
    }
  }
  if (worker.counts()) worker.log().count_barrier(warps);
  if (worker.checker()) worker.checker()->block_barrier(block.warps);
  block.barriers[first->id] = result;
  for (Warp& warp : block.warps) warp.release(Meeting::block, warp.at(Meeting::block));
  return true;
}

std::string describe_barrier_wait(const Block& block, unsigned thread) {
  const BlockCall& call = block.lane(thread).block_call;
  if (call.id == 0 && call.threads == 0) return call_in_words("__syncthreads", call.call_site);
  if (is_of_tile(call.id))
    return call_in_words(fmt::format("a tile of {} threads", call.threads).c_str(), call.call_site);
  const std::string name = call.threads == 0
                               ? fmt::format("barrier {}", call.id)
                               : fmt::format("barrier {} of {} threads", call.id, call.threads);
  return call_in_words(name.c_str(), call.call_site);
}

}  // namespace emu
