// Blocks that work together: emulator/groups.h on top of Worker.
#include "emulator/groups.h"

#include "emulator/async.h"
#include "emulator/memory.h"
#include "engine/run/block.hpp"

namespace emu {

namespace {

/// The launch that the running lane belongs to; null on the host.
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
  const uint3 size = cluster_dimensions();
  return block_index.x % size.x +
         size.x * (block_index.y % size.y + size.y * (block_index.z % size.z));
}

bool has_clusters() noexcept {
  const Launch* launch = running_launch();
  return launch && launch->has_clusters;
}

bool grid_is_cooperative() noexcept {
  const Launch* launch = running_launch();
  return launch && launch->cooperative;
}

// Without clusters that run, a block has its own shared memory only.
bool is_shared(const void* address) noexcept {
  return in_kernel() &&
         Worker::running()->log().is_shared(reinterpret_cast<std::uintptr_t>(address));
}
bool is_cluster_shared(const void* address) noexcept { return is_shared(address); }
bool is_local(const void* address) noexcept {
  return in_kernel() &&
         Worker::running()->is_lanes_stack(reinterpret_cast<std::uintptr_t>(address));
}
bool is_constant(const void* address) noexcept { return find_space(address) == Space::constant; }

void grid_sync() {
  const void* const call_site = __builtin_return_address(0);
  if (!in_kernel()) unsupported("the barrier of a grid in host code");
  if (!grid_is_cooperative())
    fail_kernel(cudaErrorLaunchFailure,
                "the grid has no barrier: only a cooperative launch (cudaLaunchCooperativeKernel) "
                "gives it one",
                call_site);
  unsupported("the barrier of a grid");
}

void cluster_arrive() { unsupported("the barrier of a cluster"); }
void cluster_wait() { unsupported("the barrier of a cluster"); }
void cluster_sync() { unsupported("the barrier of a cluster"); }
void* cluster_map(const void*, unsigned) { unsupported("another block's shared memory"); }
unsigned cluster_rank_of(const void*) { unsupported("another block's shared memory"); }
void named_barrier_sync(unsigned, unsigned) { unsupported("a named barrier"); }
std::uint32_t shared_address(const void*) { unsupported("a 32-bit shared address"); }
void* shared_pointer(std::uint32_t) { unsupported("a 32-bit shared address"); }

// The barrier of this block is in the cluster, too.
void cluster_mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  if (!is_shared(barrier)) unsupported("an mbarrier of another block");
  Worker::running()->expect(barrier, bytes, __builtin_return_address(0));
}
void cluster_mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count) {
  if (!is_shared(barrier)) unsupported("an mbarrier of another block");
  Worker::running()->arrive(barrier, count, __builtin_return_address(0));
}
void copy_bulk_multicast(void*, const void*, std::uint32_t, std::uint64_t*, std::uint16_t) {
  unsupported("a bulk copy to several blocks");
}
void copy_box_multicast(void*, const void*, const std::int32_t*, unsigned, std::uint64_t*,
                        std::uint16_t) {
  unsupported("a bulk copy to several blocks");
}
void copy_bulk_shared(void*, const void*, std::uint32_t, std::uint64_t*) {
  unsupported("a bulk copy to another block");
}

}  // namespace emu
