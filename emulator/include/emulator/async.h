/// @file
/// Barriers in shared memory that count bytes, and the copies that arrive at them. The CUDA names
/// (`cuda::ptx::mbarrier_arrive`, `cuda::ptx::cp_async_bulk_tensor`, ...) are thin wrappers in
/// cuda/ptx. And the stores of a thread's own asynchronous copies (cuda_pipeline_primitives.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace emu {

/// Makes `barrier` wait for `count` arrivals in each of its phases.
void mbarrier_init(std::uint64_t* barrier, std::uint32_t count);

/// The place is memory as any other again.
void mbarrier_invalidate(std::uint64_t* barrier);

/// The running phase waits for one more arrival.
void mbarrier_add_arrival(std::uint64_t* barrier);

/// The running phase waits for so many more bytes.
void mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes);

/// `count` arrivals at once.
/// @return what the barrier was before: the phase to wait for
std::uint64_t mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count);

/// `count` arrivals, also for all later phases, which wait for so many less.
std::uint64_t mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count);

/// Whether a phase is over: the newest one of this parity, the one before the first having parity
/// 1. `try` waits as long as anything else in the block, or a copy, can go on; `test` lets the
/// other lanes run and looks once.
bool mbarrier_try_wait(std::uint64_t* barrier, std::uint32_t parity);
bool mbarrier_test_wait(std::uint64_t* barrier, std::uint32_t parity);

/// The parity of the phase that mbarrier_arrive returned.
std::uint32_t mbarrier_parity(std::uint64_t state) noexcept;

/// Asks for `bytes` of global memory in shared memory; they arrive at `barrier`, later.
void copy_bulk(void* target, const void* source, std::uint32_t bytes, std::uint64_t* barrier);

/// The same for the box of a tensor at `coordinates`, [rank], innermost first.
void copy_box(void* target, const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
              std::uint64_t* barrier);

// The same across a cluster, whose shared memory cluster_map (groups.h) gives addresses of.

/// Of a barrier that may be in another block's shared memory.
void cluster_mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes);
void cluster_mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count);
void cluster_mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count);

/// copy_bulk and copy_box to every block whose rank's bit is set in `blocks`: to the same places as
/// `target` and `barrier` have in this one.
void copy_bulk_multicast(void* target, const void* source, std::uint32_t bytes,
                         std::uint64_t* barrier, std::uint16_t blocks);
void copy_box_multicast(void* target, const void* tensor_map, const std::int32_t* coordinates,
                        unsigned rank, std::uint64_t* barrier, std::uint16_t blocks);

/// Asks for `bytes` of this block's shared memory in another one's, where `barrier` is, too.
void copy_bulk_shared(void* target, const void* source, std::uint32_t bytes,
                      std::uint64_t* barrier);

// Out of shared memory. Such a copy belongs to its thread, which waits for its groups.

/// Asks for `bytes` of this block's shared memory in global memory.
void store_bulk(void* target, const void* source, std::uint32_t bytes);
/// The same for the box of a tensor at `coordinates`, [rank], innermost first.
void store_box(const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
               const void* source);
/// Closes the thread's group of such copies.
void commit_bulk_stores();
/// Waits for all groups but the newest ones: until they have been read (`only_read`), or made.
void wait_for_bulk_stores(std::uint32_t all_but_newest, bool only_read);

/// What this thread has done to memory comes before what copies, bulk stores and tensor cores do.
void fence_async_proxy();

/// A store of `bytes` (at most 16) that counts now, and is made when the thread waits for it.
void store_late(void* target, const void* value, unsigned bytes);
/// Closes the thread's batch of such stores.
void close_late_batch();
/// Makes those of all closed batches but the newest ones.
void make_late_stores(std::size_t all_but_newest);
/// Makes those of all batches, the open one too; then arrives once.
void mbarrier_arrive_after_late_stores(std::uint64_t* barrier);

}  // namespace emu
