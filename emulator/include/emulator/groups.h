/// @file
/// What device code needs from the engine where blocks work together: clusters, cooperative grids,
/// named barriers, and shared memory by its 32-bit addresses. The CUDA names
/// (`cooperative_groups::this_cluster`, `__cvta_generic_to_shared`, ...) are thin wrappers in
/// cooperative_groups.h, cuda/ptx and device_groups.h.
#pragma once

#include <cstdint>

#include "vector_types.h"

namespace emu {

// All are called by a lane. Blocks of a cluster are numbered x first; the number is a block's rank.

/// Of this block in its cluster; 0 where a launch has no clusters.
unsigned cluster_rank() noexcept;
/// In blocks; {1, 1, 1} where a launch has no clusters.
uint3 cluster_dimensions() noexcept;
/// Whether the launch or the kernel says how large its clusters are.
bool has_clusters() noexcept;

/// The halves of one barrier of the cluster: every thread of every block arrives, and waits. A
/// thread that has exited is not waited for.
void cluster_arrive();
void cluster_wait();
void cluster_sync();

/// The same variable in the shared memory of another block of the cluster. The kernel ends with an
/// error when it uses what lies in a block that the cluster does not have.
void* cluster_map(const void* shared, unsigned rank);
/// Of the block whose shared memory the address is in.
unsigned cluster_rank_of(const void* shared);

/// Waits for every thread of the grid that has not exited; ends the kernel with
/// cudaErrorLaunchFailure where the launch is not cooperative.
void grid_sync();
bool grid_is_cooperative() noexcept;

/// Waits until `threads` threads of the block (0: all of them), in whole warps, are at barrier
/// `id`, of which there are 16.
void named_barrier_sync(unsigned id, unsigned threads);
/// Counts as one that waits there, and goes on. `threads` is not 0.
void named_barrier_arrive(unsigned id, unsigned threads);

/// Of those that met at a barrier.
struct BarrierVotes {
  int yes = 0;      ///< whose predicate held
  int threads = 0;  ///< that waited
};
/// Waits as named_barrier_sync does.
BarrierVotes named_barrier_votes(unsigned id, unsigned threads, bool predicate);

/// Waits for all threads of a tile of several warps: `threads`, a power of 2, neighbours.
void tile_sync(unsigned threads);
/// The same; hands over a value for each warp, from the lane that `gives` it, and writes those of
/// the tile's warps to `values`, [threads / 32].
void tile_exchange(unsigned threads, bool gives, std::uint64_t value, std::uint64_t* values);

/// Whether an address is in shared memory of this block, or of any block of the cluster; or in the
/// local memory of a thread; or a `__constant__` variable's.
bool is_shared(const void* address) noexcept;
bool is_cluster_shared(const void* address) noexcept;
bool is_local(const void* address) noexcept;
bool is_constant(const void* address) noexcept;

/// Where shared memory begins, as a 32-bit address: below is what the system keeps.
constexpr std::uint32_t kFirstSharedAddress = 0x400;
/// The 32-bit form of an address in the cluster's shared memory: its block's rank << 24 | 0x400 +
/// its offset.
std::uint32_t shared_address(const void* shared);
/// The address in this thread's own terms.
void* shared_pointer(std::uint32_t address);

}  // namespace emu
