#include "engine/meet/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

/// Returns whether all lanes of a block that have not exited have arrived in the current phase.
bool all_arrived(const Block& block) {
  return std::all_of(block.warps.begin(), block.warps.end(),
                     [](const Warp& warp) { return (warp.alive() & ~warp.cluster_arrived) == 0; });
}

void release_waits(Block& block, std::uint64_t phase) {
  for (Warp& warp : block.warps) {
    std::uint32_t over = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (warp.at(Meeting::cluster) >> lane & 1 && warp.lanes[lane].far_wait.phase < phase)
        over |= 1u << lane;
    warp.release(Meeting::cluster, over);
  }
}

/// Tells racecheck that the phase is complete, and whether all threads that have not exited do
/// nothing but wait.
void tell_checker(Checker& checker, const Cluster& cluster) {
  bool all_wait = !cluster.is_split;
  std::vector<ClusterThread> exited;
  for (const Block* const block : cluster.blocks) {
    if (!block) continue;
    for (unsigned thread = 0; thread < block->threads; ++thread) {
      const Warp& warp = block->warps[thread / kWarpSize];
      const std::uint32_t bit = 1u << thread % kWarpSize;
      if (!(warp.alive() & bit)) exited.push_back({block->rank, thread});
      all_wait &= !(warp.alive() & bit) || (warp.at(Meeting::cluster) & bit);
    }
  }
  checker.race.end_cluster_phase(all_wait, exited);
}

}  // namespace

bool end_cluster_phase_if_complete(Worker& worker, Cluster& cluster) {
  if (cluster.begun < cluster.blocks.size()) return false;
  if (!std::all_of(cluster.blocks.begin(), cluster.blocks.end(),
                   [](const Block* block) { return !block || all_arrived(*block); }))
    return false;
  if (worker.is_race_checked()) tell_checker(*worker.checker(), cluster);
  cluster.is_split = false;
  ++cluster.phase;
  for (Block* const block : cluster.blocks) {
    if (!block) continue;
    for (Warp& warp : block->warps) warp.cluster_arrived = 0;
    release_waits(*block, cluster.phase);
    block->may_go_on = true;
  }
  return true;
}

bool end_cluster_phase(Worker& worker, Block& block) {
  return end_cluster_phase_if_complete(worker, *block.cluster);
}

bool has_other_blocks(const Worker&, const Block& block) {
  return block.cluster && block.cluster->over + 1 < block.cluster->blocks.size();
}

std::string describe_cluster_wait(const Block& block, unsigned thread) {
  return call_in_words("the cluster's barrier", block.lane(thread).far_wait.call_site);
}

void arrive_at_cluster(Worker& worker, const void* call_site) {
  Warp& warp = worker.state();
  if (warp.cluster_arrived & worker.bit())
    fail_kernel(cudaErrorLaunchFailure,
                "a thread arrives twice at the cluster's barrier without a wait in between",
                call_site);
  if (worker.is_race_checked()) worker.pause();
  FarWait& mine = warp.lanes[worker.lane()].far_wait;
  mine.phase = worker.cluster().phase;
  mine.arrived_in = worker.block().phases;
  if (warp.cluster_arrived == 0 && worker.counts()) worker.log().count_barrier(1);
  warp.cluster_arrived |= worker.bit();
  if (!worker.is_race_checked()) return;
  const Unrecorded unrecorded;
  worker.checker()->race.arrive_at_cluster(worker.thread());
}

namespace {

void tell_checker_of_wait(Worker& worker) {
  if (!worker.is_race_checked()) return;
  const Unrecorded unrecorded;
  worker.checker()->race.waited_for_cluster(worker.thread());
}

}  // namespace

void wait_for_cluster(Worker& worker, const void* call_site) {
  Warp& warp = worker.state();
  FarWait& mine = warp.lanes[worker.lane()].far_wait;
  mine.call_site = call_site;
  if (mine.arrived_in != worker.block().phases || worker.log().lane_made_access())
    worker.cluster().is_split = true;
  if (worker.cluster().phase > mine.phase) return tell_checker_of_wait(worker);
  if (!(warp.cluster_arrived & worker.bit()))
    fail_kernel(cudaErrorLaunchFailure,
                "a thread waits at the cluster's barrier without having arrived", call_site);
  warp.at(Meeting::cluster) |= worker.bit();
  worker.wait();
  tell_checker_of_wait(worker);
}

}  // namespace emu
