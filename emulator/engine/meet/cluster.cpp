#include "engine/meet/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

/// Those of a block that have not come to the running phase, and have not exited.
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

}  // namespace

bool end_cluster_phase_if_complete(Cluster& cluster) {
  if (cluster.begun < cluster.blocks.size()) return false;
  if (!std::all_of(cluster.blocks.begin(), cluster.blocks.end(),
                   [](const Block* block) { return !block || all_arrived(*block); }))
    return false;
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
  std::vector<std::uint32_t> lanes;
  for (const Warp& warp : block.warps) lanes.push_back(warp.cluster_arrived & warp.alive());
  if (!end_cluster_phase_if_complete(*block.cluster)) return false;
  // Only a block that is alone in its cluster is checked for races.
  if (worker.is_race_checked()) worker.checker()->race.barrier_of_some(lanes);
  return true;
}

bool has_other_blocks(const Worker&, const Block& block) {
  return block.cluster && block.cluster->over + 1 < block.cluster->blocks.size();
}

std::string cluster_place(const Block& block, unsigned thread) {
  return place_in_words("the cluster's barrier", block.lane(thread).far_wait.call_site);
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
  warp.cluster_arrived |= worker.bit();
}

void wait_for_cluster(Worker& worker, const void* call_site) {
  Warp& warp = worker.state();
  FarWait& mine = warp.lanes[worker.lane()].far_wait;
  mine.call_site = call_site;
  if (worker.cluster().phase > mine.phase) return;
  if (!(warp.cluster_arrived & worker.bit()))
    fail_kernel(cudaErrorLaunchFailure,
                "a thread waits at the cluster's barrier without having arrived", call_site);
  warp.at(Meeting::cluster) |= worker.bit();
  worker.wait();
}

}  // namespace emu
