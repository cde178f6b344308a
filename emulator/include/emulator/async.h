/// @file
/// Barriers in shared memory that count bytes (mbarriers), and the copies that arrive at them.
/// cuda/ptx wraps these functions under CUDA's names (`cuda::ptx::mbarrier_arrive`,
/// `cuda::ptx::cp_async_bulk_tensor`, ...). Also the stores of a thread's own asynchronous copies
/// (cuda_pipeline_primitives.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace emu {

/// Initialises `barrier` with `count` expected arrivals per phase.
void mbarrier_init(std::uint64_t* barrier, std::uint32_t count);

/// Turns the barrier back into ordinary memory.
void mbarrier_invalidate(std::uint64_t* barrier);

/// Makes the current phase wait for one more arrival.
void mbarrier_add_arrival(std::uint64_t* barrier);

/// Makes the current phase wait for `bytes` more bytes.
void mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes);

/// Arrives `count` times.
/// @return the barrier's previous state, which identifies the phase to wait for
std::uint64_t mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count);

/// Arrives `count` times, and lowers the expected arrivals of all later phases by `count`.
std::uint64_t mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count);

/// Returns whether the newest phase of this parity has completed; the phase before the first has
/// parity 1. `try` waits as long as other lanes of the block or a copy can continue; `test` lets
/// the other lanes run and looks once.
bool mbarrier_try_wait(std::uint64_t* barrier, std::uint32_t parity);
bool mbarrier_test_wait(std::uint64_t* barrier, std::uint32_t parity);

/// Returns the parity of the phase in a state that mbarrier_arrive returned.
std::uint32_t mbarrier_parity(std::uint64_t state) noexcept;

/// Starts a copy of `bytes` from global to shared memory, which arrives at `barrier` later.
void copy_bulk(void* target, const void* source, std::uint32_t bytes, std::uint64_t* barrier);

/// Starts a copy of a tensor's box at `coordinates`, [rank], innermost first.
void copy_box(void* target, const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
              std::uint64_t* barrier);

// The same operations across a cluster; cluster_map (groups.h) gives addresses in its shared
// memory.

/// Makes a barrier, which may be in another block's shared memory, wait for `bytes` more bytes.
void cluster_mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes);
void cluster_mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count);
void cluster_mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count);

/// Perform copy_bulk and copy_box for every block whose rank's bit is set in `blocks`, to the same
/// offsets as `target` and `barrier` have in this block.
void copy_bulk_multicast(void* target, const void* source, std::uint32_t bytes,
                         std::uint64_t* barrier, std::uint16_t blocks);
void copy_box_multicast(void* target, const void* tensor_map, const std::int32_t* coordinates,
                        unsigned rank, std::uint64_t* barrier, std::uint16_t blocks);

/// Starts a copy of `bytes` from this block's shared memory to the block that contains `barrier`.
void copy_bulk_shared(void* target, const void* source, std::uint32_t bytes,
                      std::uint64_t* barrier);

// Copies out of shared memory. Such a copy belongs to its thread, which waits for its groups.

/// Starts a copy of `bytes` from this block's shared memory to global memory.
void store_bulk(void* target, const void* source, std::uint32_t bytes);
/// Starts a copy to a tensor's box at `coordinates`, [rank], innermost first.
void store_box(const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
               const void* source);
/// Commits the thread's copies since the last commit as a group.
void commit_bulk_stores();
/// Waits until all groups but the newest ones have been read (`only_read`) or written.
void wait_for_bulk_stores(std::uint32_t all_but_newest, bool only_read);

/// Orders this thread's memory accesses before later ones by copies, bulk stores and tensor cores.
void fence_async_proxy();

/// Makes a store of `bytes` (at most 16) that counts now, but happens when the thread waits for it.
void store_late(void* target, const void* value, unsigned bytes);
/// Commits the thread's delayed stores as a batch.
void close_late_batch();
/// Performs the stores of all committed batches but the newest ones.
void make_late_stores(std::size_t all_but_newest);
/// Performs the stores of all batches, including the open one; then arrives once.
void mbarrier_arrive_after_late_stores(std::uint64_t* barrier);

}  // namespace emu
