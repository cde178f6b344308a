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

namespace emu {

class SharedWindows {
 public:
  static constexpr unsigned kMostRanks = 16, kRankShift = 24;

  /// For shared memory of so many bytes at `begin`. The windows are reserved at the first use.
  void describe(char* begin, std::size_t bytes);
  void open(unsigned rank);
  void close(unsigned rank);
  void close_all();

  /// A place in this worker's shared memory, as it is in the window of `rank`.
  char* in_window(const void* shared, unsigned rank);
  /// The place in shared memory that a place in a window stands for.
  char* in_place(const void* window) const;
  /// Whose window an address is in.
  std::optional<unsigned> rank_of(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base_;
    if (base_ == 0 || offset >= std::uintptr_t{kMostRanks} << kRankShift) return std::nullopt;
    return static_cast<unsigned>(offset >> kRankShift);
  }
  bool contains(std::uintptr_t address) const {
    return base_ != 0 && address - base_ < std::uintptr_t{kMostRanks} << kRankShift;
  }

 private:
  void protect(unsigned rank, int access);

  char* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::uintptr_t base_ = 0;
  std::size_t skew_ = 0;  // of the first byte in its window: banks stay what they are
};

}  // namespace emu
