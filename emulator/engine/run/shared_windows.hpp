/// @file
/// Windows of addresses through which the shared memory of a cluster's parked blocks can be
/// accessed: one for each rank, 16 MiB apart, as on a device.
///
/// The block on the stage has its shared memory in place, not in its window. Its window is
/// therefore closed: an access through it is reported instead of reading old data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/occupancy.h"

namespace emu {

class SharedWindows {
 public:
  static constexpr unsigned kRankShift = 24;

  /// Makes the windows for a worker's shared memory, all of them closed.
  SharedWindows(char* begin, std::size_t bytes);
  ~SharedWindows();
  SharedWindows(const SharedWindows&) = delete;
  SharedWindows& operator=(const SharedWindows&) = delete;

  void open(unsigned rank);
  void close(unsigned rank);

  /// Returns the address in the window of `rank` that corresponds to an address in the worker's
  /// shared memory.
  char* in_window(const void* shared, unsigned rank) const {
    return reinterpret_cast<char*>(
        base_ + (std::uintptr_t{rank} << kRankShift) + skew_ +
        (reinterpret_cast<std::uintptr_t>(shared) - reinterpret_cast<std::uintptr_t>(begin_)));
  }
  /// Returns the address in the worker's shared memory that corresponds to one in a window.
  char* in_place(const void* window) const;
  /// Returns the rank whose window the address is in.
  std::optional<unsigned> rank_of(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base_;
    if (offset >= kAllBytes) return std::nullopt;
    return static_cast<unsigned>(offset >> kRankShift);
  }
  /// Returns whether an address in a window is beyond the shared memory of a block.
  bool is_beyond(const void* window) const {
    return static_cast<std::size_t>(in_place(window) - begin_) >= bytes_;
  }
  std::uintptr_t begin() const { return base_; }

  static constexpr std::size_t kAllBytes = std::size_t{kMostBlocksOfCluster} << kRankShift;

 private:
  void protect(unsigned rank, int access) const;

  char* begin_;
  std::size_t bytes_;
  std::size_t skew_;  // offset of the first byte in its window, so that addresses keep their bank
  std::uintptr_t base_;
};

}  // namespace emu
