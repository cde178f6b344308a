/// @file
/// A copy of a box of a tensor into shared memory, which arrives at an mbarrier when it is made; or
/// out of shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/meet/tensor_map.hpp"

namespace emu {

struct BulkCopy {
  TensorMap tensor;
  std::array<std::int64_t, kMostDimensions> at{};  ///< where the box begins, innermost first
  char* target = nullptr;                          ///< in shared memory
  std::uint64_t* barrier = nullptr;
  bool leaves_shared = false;                       ///< it is a store
  unsigned thread = 0;                              ///< that asked for it
  const void* call_site = nullptr;                  ///< where
  std::shared_ptr<const std::vector<char>> staged;  ///< what a copy of shared memory found there

  /// A row of the box: the part of it that lies in the tensor; the rest are zeros. A store takes
  /// whole pieces of 16 bytes, even where the last one ends behind the tensor, as on an H200.
  struct Row {
    std::uint32_t offset;         ///< of the whole row in the box, bytes
    const char* source;           ///< of the part
    std::uint32_t before, bytes;  ///< zeros before the part, and its length
  };
  Row row(std::uint32_t index) const;

  /// How many sectors of global memory it touches, row by row.
  std::uint64_t sectors() const;

  /// Where the byte that is `offset` bytes into the box goes: its 16-byte piece changes places
  /// with others of its swizzle span, as bits 7 and up of the address say.
  char* place(std::uint32_t offset) const {
    const auto address = reinterpret_cast<std::uintptr_t>(target) + offset;
    const std::uintptr_t pieces = tensor.swizzle_bytes / kCopyGrain;
    constexpr unsigned kRowBits = 7;  // a swizzle row is 128 bytes
    return reinterpret_cast<char*>(
        pieces == 0 ? address : address ^ (address >> kRowBits & (pieces - 1)) * kCopyGrain);
  }

  /// Moves the bytes into shared memory.
  void make() const;
  /// Moves them out of it: what lies in the tensor.
  void store() const;
};

}  // namespace emu
