/// @file
/// Where the shared memory of a cluster's blocks can be reached while they are parked: a window for
/// each rank, 16 MiB apart, as on a device.
///
/// The block on the stage has its shared memory in place, not in its window; so its window is
/// closed, and who reads it there is told, rather than finding what is out of date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/occupancy.h"

namespace emu {

class SharedWindows {
 public:
  static constexpr unsigned kRankShift = 24;

  /// For a worker's shared memory, all windows closed.
  SharedWindows(char* begin, std::size_t bytes);
  ~SharedWindows();
  SharedWindows(const SharedWindows&) = delete;
  SharedWindows& operator=(const SharedWindows&) = delete;

  void open(unsigned rank);
  void close(unsigned rank);

  /// A place in the worker's shared memory, as it is in the window of `rank`.
  char* in_window(const void* shared, unsigned rank) const {
    return reinterpret_cast<char*>(
        base_ + (std::uintptr_t{rank} << kRankShift) + skew_ +
        (reinterpret_cast<std::uintptr_t>(shared) - reinterpret_cast<std::uintptr_t>(begin_)));
  }
  /// The place in shared memory that a place in a window stands for.
  char* in_place(const void* window) const;
  /// Whose window an address is in.
  std::optional<unsigned> rank_of(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base_;
    if (offset >= kAllBytes) return std::nullopt;
    return static_cast<unsigned>(offset >> kRankShift);
  }
  /// Whether a place is beyond what a block can have in its window.
  bool is_beyond(const void* window) const {
    return static_cast<std::size_t>(in_place(window) - begin_) >= bytes_;
  }
  std::uintptr_t begin() const { return base_; }

  static constexpr std::size_t kAllBytes = std::size_t{kMostBlocksOfCluster} << kRankShift;

 private:
  void protect(unsigned rank, int access) const;

  char* begin_;
  std::size_t bytes_;
  std::size_t skew_;  // of the first byte in its window: banks stay what they are
  std::uintptr_t base_;
};

}  // namespace emu
