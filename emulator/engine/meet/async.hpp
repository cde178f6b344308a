/// @file
/// Operations of a lane on mbarriers, and the copies that arrive there.
#pragma once

#include "engine/check/async_reads.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/meet/mbarrier.hpp"
#include "engine/run/worker.hpp"

namespace emu {

inline std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Operations of the running lane on an mbarrier (mbarriers.cpp).
void init_mbarrier(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                   const void* call_site);
void invalidate_mbarrier(Worker& worker, std::uint64_t* barrier, const void* call_site);
void add_arrival(Worker& worker, std::uint64_t* barrier, const void* call_site);
/// @param drops whether later phases expect `count` arrivals less
std::uint64_t arrive(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                     const void* call_site, bool drops = false);
void expect(Worker& worker, std::uint64_t* barrier, std::uint32_t bytes, const void* call_site);
bool try_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site);
bool test_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site);

/// Returns the mbarrier at `barrier`; ends the kernel if it is not initialised.
Mbarrier initialised_mbarrier(const Worker& worker, const std::uint64_t* barrier,
                              const void* call_site);
/// Lets all lanes that wait for an mbarrier go on with the answer "not yet". Called when no lane of
/// the block can go on.
/// @return false if there are none, or if this has happened too often without a change
bool time_out_waits(Block& block);

// Copies (copies.cpp).
/// Checks a copy and adds it to the pending copies of the block with rank `rank`. It is made when a
/// lane there waits for it.
/// @param reads_again whether another block's copy reads the same global memory, whose sectors
/// count once
void request_copy(Worker& worker, BulkCopy copy, unsigned rank, const void* staged_from = nullptr,
                  bool reads_again = false);
/// Makes the oldest copy whose mbarrier a lane waits for; returns false if there is none.
bool make_awaited_copy(Worker& worker, Block& block);
/// The running lane's own asynchronous copies (cp.async).
void store_late(Worker& worker, void* target, const void* value, unsigned bytes,
                const void* call_site);
void make_late_stores(Worker& worker, std::size_t all_but_newest);
/// Makes all of the lane's late stores, then arrives at the mbarrier.
void arrive_after_late_stores(Worker& worker, std::uint64_t* barrier, const void* call_site);

/// Checks a copy out of shared memory, which is made when the running lane waits for it.
void request_store(Worker& worker, BulkCopy copy);
/// Closes the running lane's open group of bulk stores.
void commit_bulk_stores(Worker& worker);
/// Makes the running lane's groups of bulk stores, except the newest ones.
void make_bulk_stores(Worker& worker, std::uint64_t all_but_newest);

/// Tells racecheck that the running lane has waited for all but its newest groups of reads.
void wait_for_reads(Worker& worker, AsyncRead::By by, std::uint64_t all_but_newest);

}  // namespace emu
