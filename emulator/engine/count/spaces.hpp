/// @file
/// Finds the address space of an address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/memory.h"

namespace emu {

class SharedWindows;

enum class AccessSpace : std::uint8_t {
  global,
  shared,   ///< the block's own shared memory
  dshared,  ///< shared memory of another block of the cluster: distributed shared memory
  other,
};
constexpr std::size_t kAccessSpaces = 4;

/// A warp's number of requests: [AccessSpace].
using RequestsBySpace = std::array<std::uint64_t, kAccessSpaces>;

class Spaces {
 public:
  /// Sets the range of addresses that is the block's shared memory.
  void set_shared_range(std::uintptr_t begin, std::size_t bytes) {
    shared_begin_ = begin;
    shared_bytes_ = bytes;
  }
  /// Sets the windows of the other blocks in the cluster; null: no cluster.
  void set_windows(const SharedWindows* windows) { windows_ = windows; }
  /// Returns whether one request may access the shared memory of the own block and of other blocks.
  bool may_mix() const { return windows_ != nullptr; }
  /// Returns whether the address is in the block's own shared memory.
  bool is_shared(std::uintptr_t address) const { return address - shared_begin_ < shared_bytes_; }
  /// Returns the space of the address; ends the kernel if a device has no such memory.
  AccessSpace of(std::uintptr_t address) const {
    if (is_shared(address)) return AccessSpace::shared;
    if (in_arena(reinterpret_cast<const void*>(address))) return AccessSpace::global;
    return outside_the_heap(address);
  }

 private:
  AccessSpace outside_the_heap(std::uintptr_t address) const;

  std::uintptr_t shared_begin_ = 0;
  std::size_t shared_bytes_ = 0;
  const SharedWindows* windows_ = nullptr;
};

}  // namespace emu
