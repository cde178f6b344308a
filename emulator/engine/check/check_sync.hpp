/// @file
/// synccheck: every thread comes to every barrier, and every lane of a mask to its collective.
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

  /// All threads that are left wait at a block barrier.
  void block_barrier(const std::vector<Warp>& warps, unsigned threads);
  /// A collective's mask lacks the lane that calls it.
  void mask_lacks_caller(const char* function, unsigned mask, unsigned thread,
                         const void* call_site);
  /// A shuffle reads from a lane that takes no part in it; `is_there`: the block has such a thread.
  void undefined_source(const char* function, unsigned mask, unsigned source, bool is_there,
                        unsigned thread, const void* call_site);
  /// Nobody can go on. `what` says who waits where.
  void stuck(const Block& block, const std::string& what);
  /// A block has ended before a copy into its shared memory was made.
  void unfinished_copy(unsigned thread, const void* call_site);
  /// Nobody has waited for what reads the shared memory of a block that has ended.
  void unfinished_read(const AsyncRead& read);

 private:
  /// Threads of a block that wait at one barrier of the program.
  struct Waiters {
    std::uintptr_t place;
    unsigned first_thread;
    unsigned threads;  ///< how many
  };
  void divergent_barrier(const Waiters& here, const Waiters& there, unsigned threads,
                         unsigned waiting);
  /// Threads that have returned instead.
  struct Absent {
    unsigned threads = 0;  ///< how many
    unsigned passed = 0;   ///< ... of them did something behind the barrier
    unsigned parted = 0;   ///< ... of them left their warp behind an earlier barrier
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
