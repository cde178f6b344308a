// Implements emulator/groups.h: information about the launch, and barriers of groups of blocks.
#include "emulator/groups.h"

#include "emulator/memory.h"
#include "emulator/occupancy.h"
#include "engine/meet/block_barrier.hpp"
#include "engine/meet/cluster.hpp"
#include "engine/meet/grid.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

/// Returns the launch that the running lane belongs to; null in host code.
const Launch* running_launch() noexcept {
  const Worker* worker = Worker::running();
  return worker && worker->lane_is_running() ? &worker->launch() : nullptr;
}

}  // namespace

uint3 cluster_dimensions() noexcept {
  const Launch* launch = running_launch();
  return launch ? launch->cluster : uint3{1, 1, 1};
}

unsigned cluster_rank() noexcept {
  const Launch* launch = running_launch();
  return launch ? Worker::running()->block().rank : 0;
}

bool has_clusters() noexcept {
  const Launch* launch = running_launch();
  return launch && launch->has_clusters;
}

bool grid_is_cooperative() noexcept {
  const Launch* launch = running_launch();
  return launch && launch->cooperative;
}

void cluster_arrive() {
  arrive_at_cluster(worker_of_lane("the barrier of a cluster in host code"),
                    __builtin_return_address(0));
}
void cluster_wait() {
  wait_for_cluster(worker_of_lane("the barrier of a cluster in host code"),
                   __builtin_return_address(0));
}
void cluster_sync() {
  Worker& worker = worker_of_lane("the barrier of a cluster in host code");
  arrive_at_cluster(worker, __builtin_return_address(0));
  wait_for_cluster(worker, __builtin_return_address(0));
}

void* cluster_map(const void* shared, unsigned rank) {
  Worker& worker = worker_of_lane("another block's shared memory in host code");
  const auto from = worker.window_rank(shared);
  if (rank == worker.block().rank)
    return from ? worker.cluster().windows.in_place(shared) : const_cast<void*>(shared);
  const SharedWindows& windows = worker.cluster().windows;
  if (rank >= kMostBlocksOfCluster)
    fail_kernel(cudaErrorLaunchFailure, "there is no such block in the cluster",
                __builtin_return_address(0));
  return windows.in_window(from ? windows.in_place(shared) : shared, rank);
}

unsigned cluster_rank_of(const void* shared) {
  Worker& worker = worker_of_lane("another block's shared memory in host code");
  return worker.window_rank(shared).value_or(worker.block().rank);
}

bool is_shared(const void* address) noexcept {
  return in_kernel() &&
         Worker::running()->log().is_shared(reinterpret_cast<std::uintptr_t>(address));
}
bool is_cluster_shared(const void* address) noexcept {
  return is_shared(address) || (in_kernel() && Worker::running()->window_rank(address));
}
bool is_local(const void* address) noexcept {
  return in_kernel() &&
         Worker::running()->is_lanes_stack(reinterpret_cast<std::uintptr_t>(address));
}
bool is_constant(const void* address) noexcept { return find_space(address) == Space::constant; }

void grid_sync() {
  Worker& worker = worker_of_lane("the barrier of a grid in host code");
  if (!worker.launch().cooperative)
    fail_kernel(cudaErrorLaunchFailure,
                "the grid meets only where cudaLaunchCooperativeKernel has launched it",
                __builtin_return_address(0));
  meet_grid(worker, __builtin_return_address(0));
}

namespace {

void require_whole_warps(unsigned threads, const void* call_site) {
  if (threads % kWarpSize != 0)
    fail_kernel(cudaErrorIllegalInstruction,
                "a barrier waits for whole warps: for a multiple of 32 threads", call_site);
}

}  // namespace

void named_barrier_sync(unsigned id, unsigned threads) {
  Worker& worker = worker_of_lane("a named barrier in host code");
  require_whole_warps(threads, __builtin_return_address(0));
  meet_block(worker, 0, __builtin_return_address(0), id % kBarriers, threads);
}

void named_barrier_arrive(unsigned id, unsigned threads) {
  Worker& worker = worker_of_lane("a named barrier in host code");
  require_whole_warps(threads, __builtin_return_address(0));
  if (threads == 0)
    fail_kernel(cudaErrorIllegalInstruction,
                "who arrives at a barrier and does not wait says for how many threads it is",
                __builtin_return_address(0));
  arrive_at_barrier(worker, id % kBarriers, threads, __builtin_return_address(0));
}

BarrierVotes named_barrier_votes(unsigned id, unsigned threads, bool predicate) {
  Worker& worker = worker_of_lane("a named barrier in host code");
  require_whole_warps(threads, __builtin_return_address(0));
  const BarrierResult result =
      meet_block(worker, predicate, __builtin_return_address(0), id % kBarriers, threads);
  return {result.predicates, result.participants};
}

void tile_sync(unsigned threads) {
  meet_tile(worker_of_lane("the barrier of a tile in host code"), threads,
            __builtin_return_address(0));
}

void tile_exchange(unsigned threads, bool gives, std::uint64_t value, std::uint64_t* values) {
  exchange_in_tile(worker_of_lane("the barrier of a tile in host code"), threads, gives, value,
                   values, __builtin_return_address(0));
}

std::uint32_t shared_address(const void* shared) {
  Worker& worker = worker_of_lane("a 32-bit shared address in host code");
  const auto rank = worker.window_rank(shared);
  const void* const address_in_block = rank ? worker.cluster().windows.in_place(shared) : shared;
  return rank.value_or(worker.block().rank) << SharedWindows::kRankShift |
         (kFirstSharedAddress + worker.shared_offset(address_in_block));
}

void* shared_pointer(std::uint32_t address) {
  Worker& worker = worker_of_lane("a 32-bit shared address in host code");
  const unsigned rank = address >> SharedWindows::kRankShift;
  void* const address_in_block = worker.shared_pointer(
      (address & ((1u << SharedWindows::kRankShift) - 1)) - kFirstSharedAddress);
  return cluster_map(address_in_block, rank);
}

}  // namespace emu
