/// @file
/// What a lane does to mbarriers, and the copies that arrive there.
#pragma once

#include "engine/check/async_reads.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/meet/mbarrier.hpp"
#include "engine/run/worker.hpp"

namespace emu {

inline std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Of the running lane (mbarriers.cpp).
void init_mbarrier(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                   const void* call_site);
void invalidate_mbarrier(Worker& worker, std::uint64_t* barrier, const void* call_site);
void add_arrival(Worker& worker, std::uint64_t* barrier, const void* call_site);
/// @param drops  later phases wait for as many less
std::uint64_t arrive(Worker& worker, std::uint64_t* barrier, std::uint32_t count,
                     const void* call_site, bool drops = false);
void expect(Worker& worker, std::uint64_t* barrier, std::uint32_t bytes, const void* call_site);
bool try_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site);
bool test_wait(Worker& worker, std::uint64_t* barrier, unsigned parity, const void* call_site);

/// The mbarrier there; ends the kernel if there is none.
Mbarrier initialised_mbarrier(const Worker& worker, const std::uint64_t* barrier,
                              const void* call_site);
/// Nobody can go on: those who try to wait are told that they have waited long enough.
bool time_out_waits(Block& block);

// Copies (copies.cpp).
/// Checks the copy, which is made when somebody waits for it: in the block with this rank.
/// @param reads_again  what it reads of global memory is counted for another block, too
void request_copy(Worker& worker, BulkCopy copy, unsigned rank, const void* staged_from = nullptr,
                  bool reads_again = false);
/// The oldest copy whose barrier a lane waits at; false if there is none.
bool make_awaited_copy(Worker& worker, Block& block);
/// The running lane's own asynchronous copies.
void store_late(Worker& worker, void* target, const void* value, unsigned bytes,
                const void* call_site);
void make_late_stores(Worker& worker, std::size_t all_but_newest);
/// All of them are made; then the lane arrives.
void arrive_after_late_stores(Worker& worker, std::uint64_t* barrier, const void* call_site);

/// Checks a copy out of shared memory, which is made when the running lane waits for it.
void request_store(Worker& worker, BulkCopy copy);
/// The running lane closes its group of them.
void commit_bulk_stores(Worker& worker);
/// Makes the running lane's groups but the newest ones.
void make_bulk_stores(Worker& worker, std::uint64_t all_but_newest);

/// For the checks: the running lane has waited for what reads shared memory, in groups.
void wait_for_reads(Worker& worker, AsyncRead::By by, std::uint64_t all_but_newest);

}  // namespace emu
