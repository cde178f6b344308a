/// @file
/// Which memory an address belongs to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/memory.h"

namespace emu {

class SharedWindows;

enum class AccessSpace : std::uint8_t {
  global,
  shared,   ///< the block's own
  dshared,  ///< of another block of its cluster: distributed shared memory
  other,
};
constexpr std::size_t kAccessSpaces = 4;

/// How often a warp went where: [AccessSpace].
using RequestsBySpace = std::array<std::uint64_t, kAccessSpaces>;

class Spaces {
 public:
  /// Addresses in these bytes are the block's shared memory.
  void set_shared_range(std::uintptr_t begin, std::size_t bytes) {
    shared_begin_ = begin;
    shared_bytes_ = bytes;
  }
  /// So is what other blocks of its cluster have there; null: it has no cluster.
  void set_windows(const SharedWindows* windows) { windows_ = windows; }
  /// Whether one instruction may go to the block's own shared memory and to that of others.
  bool may_mix() const { return windows_ != nullptr; }
  /// Whether it is the block's own shared memory.
  bool is_shared(std::uintptr_t address) const { return address - shared_begin_ < shared_bytes_; }
  /// Ends the kernel if a device has no such memory.
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
