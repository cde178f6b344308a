/// @file
/// The queue of work that the threads of a grid ask the device for: kernels, copies, fills. All of
/// it is done when the grid has ended, and only then does the launch count as complete. A device
/// may begin earlier; nothing a thread can do waits for it.
///
/// A grid has streams and events of its own. The default stream belongs to a block. What is in
/// `cudaStreamFireAndForget` waits for nothing, and what is in `cudaStreamTailLaunch` for the grid
/// and all its other work. Errors are those of an H200
/// (tests/emulator/dynamic_parallelism/answers_h200.txt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "driver_types.h"

namespace emu {

/// A thread of the running grid, by the numbers of its block and of the thread in it.
struct GridThread {
  std::uint64_t block = 0;
  unsigned thread = 0;

  bool operator<(const GridThread& other) const {
    return std::pair(block, thread) < std::pair(other.block, other.thread);
  }
};

class GridQueue {
 public:
  /// What to do. What the threads of a kernel ask for in their turn goes into `of_kernel`.
  using Work = std::function<void(GridQueue& of_kernel)>;

  /// @param depth how many grids the grid has above it: 0 if the host has launched it
  explicit GridQueue(unsigned depth = 0) : depth_(depth) {}

  unsigned depth() const { return depth_; }

  /// Adds work that the thread asks for. There may be most_pending_launches() at a time. A device
  /// has begun with the earlier work of a thread that asks again, except in the tail.
  cudaError_t add(const GridThread& thread, cudaStream_t stream, Work work);

  cudaStream_t create_stream();
  /// Checks the handle, and leaves the stream or the event as it is. A device forgets them with the
  /// grid, too.
  cudaError_t destroy(cudaStream_t stream);
  cudaEvent_t create_event();
  cudaError_t destroy(cudaEvent_t event);
  cudaError_t record(std::uint64_t block, cudaEvent_t event, cudaStream_t stream);
  /// Lets what comes into the stream from now on wait for the event's newest record.
  cudaError_t wait(std::uint64_t block, cudaStream_t stream, cudaEvent_t event);

  /// Replaces the thread's last error, returns the one before.
  cudaError_t exchange_last_error(const GridThread& thread, cudaError_t error);
  cudaError_t last_error(const GridThread& thread);

  /// Forgets everything: the grid runs again from its beginning.
  void clear();
  bool empty() const { return entries_.empty() && tail_.empty(); }

  /// Does all the work, and all that comes of it. A kernel is complete, with what its threads have
  /// asked for, before anything that waits for it begins. Called when the grid has ended.
  void finish();

 private:
  /// Work, and the numbers of the entries that must be complete before it begins.
  struct Entry {
    std::uint64_t block;
    Work work;
    std::vector<std::size_t> after;
  };
  /// Identifies a stream: the default streams differ by block.
  using Key = std::pair<cudaStream_t, std::uint64_t>;
  static constexpr std::size_t kNone = ~std::size_t{0};

  static Key key_of(cudaStream_t stream, std::uint64_t block);
  bool is_ordered(cudaStream_t stream) const;  // may have events
  void append(const Key& stream, Entry entry);
  std::size_t newest_in(const Key& stream) const;
  std::vector<Work> take_in_order();

  const unsigned depth_;
  std::mutex mutex_;
  std::vector<Entry> entries_;  // in the order in which threads asked
  std::vector<Entry> tail_;
  std::set<GridThread> threads_;               // which have asked for other work than the tail
  std::map<Key, std::size_t> newest_;          // [stream], of its entries
  std::set<cudaStream_t> streams_;             // which its threads have created
  std::map<cudaEvent_t, std::size_t> events_;  // the entry that the newest record waits for
  std::map<GridThread, cudaError_t> errors_;
};

/// Returns the queue of the grid whose lane is running, and that lane.
GridQueue& queue_of_running_grid();
GridThread running_grid_thread();

/// Returns how much work may wait in a queue: cudaLimitDevRuntimePendingLaunchCount
/// (runtime/device.cpp).
std::size_t most_pending_launches() noexcept;

}  // namespace emu
