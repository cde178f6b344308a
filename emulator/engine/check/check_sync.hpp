/// @file
/// synccheck: every thread must reach every barrier, and every lane of a mask its warp function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/check/async_reads.hpp"
#include "engine/check/check_context.hpp"

namespace emu {

struct Block;
struct Warp;

class SyncCheck {
 public:
  explicit SyncCheck(CheckContext& context) : context_(context) {}

  /// Checks the call sites at which the block's threads wait, when all threads that have not exited
  /// wait at a block barrier.
  void block_barrier(const std::vector<Warp>& warps, unsigned threads);
  /// Reports a warp function whose mask does not contain the calling lane.
  void mask_lacks_caller(const char* function, unsigned mask, unsigned thread,
                         const void* call_site);
  /// Reports a shuffle that reads from a lane which does not take part. `is_there`: whether the
  /// block has such a thread.
  void undefined_source(const char* function, unsigned mask, unsigned source, bool is_there,
                        unsigned thread, const void* call_site);
  /// Reports that no thread of the block can go on. `what` lists where they wait.
  void stuck(const Block& block, const std::string& what);
  /// Reports a block that has ended before a copy into its shared memory was made.
  void unfinished_copy(unsigned thread, const void* call_site);
  /// Reports a block that has ended before any thread waited for an asynchronous read of its shared
  /// memory.
  void unfinished_read(const AsyncRead& read);

 private:
  /// Threads of a block that wait at the same call site.
  struct Waiters {
    std::uintptr_t call_site;
    unsigned first_thread;
    unsigned threads;  ///< number of threads
  };
  void divergent_barrier(const Waiters& here, const Waiters& there, unsigned threads,
                         unsigned waiting);
  /// Threads that have returned instead of waiting.
  struct Absent {
    unsigned threads = 0;  ///< number of threads
    unsigned passed = 0;   ///< number of them with accesses behind the barrier
    unsigned parted = 0;   ///< number of them that left their warp after an earlier barrier
    unsigned first = 0, first_passed = 0, first_parted = 0;
  };
  Absent absent_threads(const std::vector<Warp>& warps, const Waiters& here,
                        unsigned threads) const;
  void exited_threads(const Absent& absent, const Waiters& here, unsigned threads);
  void passed_barrier(const Absent& absent, const Waiters& here, unsigned threads);
  void add(std::string key, Finding finding);

  CheckContext& context_;
};

}  // namespace emu
