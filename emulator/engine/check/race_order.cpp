#include "engine/check/race_order.hpp"

#include <algorithm>
#include <bit>

namespace emu {

void RaceOrder::begin_block(bool is_first) {
  CheckedBlock& block = *context_.now;
  block.warps.resize(context_.threads_of_block / kWarpSize);
  for (WarpOrder& warp : block.warps) {
    warp.since = block.first;
    warp.pairs.reset();
  }
  if (is_first) order().begin(context_);
  fences_.begin_block(block.fences, context_.threads_of_block);
  block.async_reads.begin_block(context_.threads_of_block);
  block.proxy_fences.clear();
}

void RaceOrder::block_barrier() {
  order().block_barrier(*context_.now);
  if (context_.now->is_alone()) context_.now->async_reads.forget_ended();
  fences_.block_barrier(context_.now->fences);
}

void RaceOrder::warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive) {
  const std::uint32_t now = context_.segment + 1;
  WarpOrder& state = context_.now->warps[warp];
  if (all_alive) {
    state.since = now;
    state.pairs.reset();
  } else {
    if (!state.pairs) {
      state.pairs = std::make_unique<std::array<OfLanes, kWarpSize>>();
      for (OfLanes& row : *state.pairs) row.fill(state.since);
    }
    OfLanes together{};
    for (unsigned other = 0; other < kWarpSize; ++other) {
      if (lanes >> other & 1) {
        together[other] = now;
        continue;
      }
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (lanes >> lane & 1)
          together[other] = std::max(together[other], (*state.pairs)[lane][other]);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) (*state.pairs)[lane] = together;
  }
  order().warp_barrier(context_.now->rank, warp, lanes);
  fences_.warp_barrier(context_.now->fences, warp, lanes);
}

namespace {

/// Returns a place that stands for a barrier of the block or of a tile: an address below 64, where
/// no mbarrier can be.
SharedAddress address_of_barrier(CheckedBlock* block, unsigned id) { return {block, id}; }

}  // namespace

void RaceOrder::arrive_at_barrier(unsigned thread, unsigned id, bool is_first) {
  const SharedAddress barrier = address_of_barrier(context_.now, id);
  if (is_first) init_mbarrier(barrier);
  arrive(thread, barrier);
}

void RaceOrder::barrier_of_some(const std::vector<std::uint32_t>& lanes, unsigned id,
                                bool is_first) {
  const auto for_threads = [&](auto&& visit) {
    for (unsigned warp = 0; warp < lanes.size(); ++warp)
      for (std::uint32_t left = lanes[warp]; left != 0; left &= left - 1)
        visit(warp * kWarpSize + static_cast<unsigned>(std::countr_zero(left)));
  };
  ++context_.segment;  // so that the threads' earlier accesses are in earlier segments
  const SharedAddress barrier = address_of_barrier(context_.now, id);
  if (is_first) init_mbarrier(barrier);
  for_threads([&](unsigned thread) { arrive(thread, barrier); });
  end_phase_of(barrier, 0);
  for_threads([&](unsigned thread) { waited(thread, barrier, 0); });
}

void RaceOrder::arrive_at_cluster(unsigned thread) {
  order().arrive_at_cluster(cluster_thread(thread), arrival_of(thread));
  fences_.arrive_at_cluster(thread);
}

void RaceOrder::end_cluster_phase(bool all_wait, const std::vector<ClusterThread>& exited) {
  CheckedCluster& cluster = *context_.now->cluster;
  cluster.all_waited = all_wait;
  if (!all_wait) return order().end_cluster_phase(exited);
  cluster.since = ++context_.segment;
  for (const CheckedBlock* const block : cluster.blocks)
    if (block) cluster.order.restamp_pending_copies(*block);
}

void RaceOrder::waited_for_cluster(unsigned thread) {
  if (!context_.now->cluster->all_waited) order().waited_for_cluster(cluster_thread(thread));
  fences_.waited_for_cluster(thread);
}

void RaceOrder::passed_grid_barrier() { order().restamp_pending_copies(*context_.now); }

std::uint32_t RaceOrder::since(unsigned warp, unsigned lane, unsigned other) const {
  const WarpOrder& state = context_.now->warps[warp];
  const std::uint32_t of_warp = state.pairs ? (*state.pairs)[lane][other] : state.since;
  return std::max(of_warp, context_.now->since);
}

/// Returns, for each lane of the thread's warp, the segment before which its accesses happen before
/// the thread.
RaceOrder::OfLanes RaceOrder::since_of_lanes(unsigned thread) const {
  OfLanes of_lane{};
  for (unsigned other = 0; other < kWarpSize; ++other)
    of_lane[other] = since(thread / kWarpSize, thread % kWarpSize, other);
  return of_lane;
}

void RaceOrder::fence(unsigned thread, FenceScope scope) {
  Clock clock = order().clock(cluster_thread(thread));
  if (!context_.now->is_alone()) {
    clock.join(order().block_clock(context_.now->rank));
    for (unsigned rank = 0; rank < context_.ranks; ++rank)
      clock.raise(rank, context_.now->cluster->since);
  }
  fences_.fence(thread, scope, since_of_lanes(thread), clock);
}

void RaceOrder::init_mbarrier(SharedAddress barrier) {
  order_of(barrier).init(key_of(barrier));
  fences_.init_mbarrier(barrier);
}

void RaceOrder::arrive(unsigned thread, SharedAddress barrier) {
  order_of(barrier).arrive(cluster_thread(thread), key_of(barrier), arrival_of(thread));
  fences_.arrive(thread, barrier);
}

void RaceOrder::waited(unsigned thread, SharedAddress barrier, unsigned parity) {
  order_of(barrier).waited(cluster_thread(thread), key_of(barrier), parity);
  fences_.waited(thread, barrier);
}

void RaceOrder::fence_proxy(unsigned thread) {
  CheckedBlock& block = *context_.now;
  if (block.proxy_fences.empty()) block.proxy_fences.resize(context_.threads_of_block);
  ProxyFences& mine = block.proxy_fences[thread];
  mine.segments.push_back(context_.segment);
  std::swap(mine.newest[0], mine.newest[1]);
  ProxyFence& fence = mine.newest[0];
  fence.segment = context_.segment;
  fence.known = arrival_of(thread);
  fence.clock = order().clock(cluster_thread(thread));
  fence.clock.join(order().block_clock(block.rank));
  if (!block.is_alone())
    for (unsigned rank = 0; rank < context_.ranks; ++rank)
      fence.clock.raise(rank, block.cluster->since);
  ++context_.segment;  // so that the thread's next accesses are in a later segment
}

CheckedBlock* RaceOrder::block_of(AccessRecord record) const {
  if (context_.is_own(record.segment())) return context_.now;
  const CheckContext::Stay& stay = context_.stay_of(record.segment());
  return stay.cluster == context_.now->cluster->number ? context_.now->cluster->blocks[stay.rank]
                                                       : nullptr;
}

ClusterThread RaceOrder::thread_of_record(AccessRecord record) const {
  const unsigned rank = context_.is_own(record.segment()) ? context_.now->rank
                                                          : context_.stay_of(record.segment()).rank;
  return {rank, record.warp() * kWarpSize + record.lane()};
}

bool RaceOrder::any_before(AccessRecord record, std::uint32_t lanes) const {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1)
    if (before(record, record.lane(), static_cast<unsigned>(std::countr_zero(left)))) return true;
  return false;
}

bool RaceOrder::is_fenced(AccessRecord record, std::uint32_t lanes) const {
  CheckedBlock* const writers = block_of(record);
  if (!writers) return true;  // the writer's block has ended, and its fences are unknown
  const ClusterThread writer = thread_of_record(record);
  const auto fence_record = [&](std::uint32_t segment, unsigned thread) {
    return AccessRecord{AccessRecord::first_of(segment) |
                        std::uint64_t{thread / kWarpSize} << AccessRecord::kWarpShift |
                        std::uint64_t{thread % kWarpSize} << AccessRecord::kLaneShift};
  };
  // Lanes of one warp reach its instruction together, after each has made its fences.
  const auto is_known = [&](std::uint32_t segment, CheckedBlock* block, unsigned thread) {
    return (block == context_.now && thread / kWarpSize == context_.warp && lanes == kFullMask) ||
           any_before(fence_record(segment, thread), lanes);
  };
  if (!writers->proxy_fences.empty()) {
    const auto& segments = writers->proxy_fences[writer.thread].segments;
    const auto next = std::upper_bound(segments.begin(), segments.end(), record.segment());
    if (next != segments.end() && is_known(*next, writers, writer.thread)) return true;
  }
  // Another thread may have made the fence, after the store happened before it.
  const auto knew = [&](const ProxyFence& fence, CheckedBlock* block, unsigned thread) {
    const std::uint32_t segment = record.segment();
    if (block == writers) {
      if (segment < fence.known.of_block) return true;
      if (writer.thread / kWarpSize == thread / kWarpSize &&
          segment < fence.known.of_lane[writer.thread % kWarpSize])
        return true;
    }
    return segment < fence.clock[writer.rank] ||
           segment < fence.clock[context_.clock_of_thread(writer.rank, writer.thread)];
  };
  CheckedBlock* const here = context_.now;
  for (unsigned thread = 0; thread < here->proxy_fences.size(); ++thread)
    for (const ProxyFence& fence : here->proxy_fences[thread].newest)
      if (fence.segment != 0 && knew(fence, here, thread) && is_known(fence.segment, here, thread))
        return true;
  return false;
}

bool RaceOrder::before(AccessRecord record, unsigned record_lane, unsigned lane) const {
  const unsigned thread = context_.warp * kWarpSize + lane;
  const MbarrierOrder& order = this->order();
  if (const MbarrierOrder::Copy* const copy = order.copy_of(record))
    return order.knows(cluster_thread(thread), *copy);
  const std::uint32_t segment = record.segment();
  if (segment < context_.all_since) return true;
  const CheckedBlock& now = *context_.now;
  const unsigned record_thread = record.warp() * kWarpSize + record_lane;
  if (context_.is_own(segment)) {
    if (segment < now.since || segment < now.cluster->since) return true;
    if (record.warp() == context_.warp &&
        (record_lane == lane || segment < since(context_.warp, lane, record_lane)))
      return true;
    if (order.knows(cluster_thread(thread), {now.rank, record_thread}, segment)) return true;
  } else if (!now.is_alone()) {
    const CheckContext::Stay& stay = context_.stay_of(segment);
    if (stay.cluster == now.cluster->number &&
        (segment < now.cluster->since ||
         order.knows(cluster_thread(thread), {stay.rank, record_thread}, segment)))
      return true;
  }
  return fences_.covers(thread, record, record_lane);
}

}  // namespace emu
