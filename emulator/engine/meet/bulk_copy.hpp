/// @file
/// A bulk copy of a box of a tensor: into shared memory, where it arrives at an mbarrier when it is
/// made, or out of shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/meet/tensor_map.hpp"

namespace emu {

struct BulkCopy {
  TensorMap tensor;
  std::array<std::int64_t, kMostDimensions> at{};  ///< coordinates of the box, innermost first
  char* target = nullptr;  ///< address in shared memory, whatever the direction
  std::uint64_t* barrier = nullptr;
  bool leaves_shared = false;       ///< the copy goes out of shared memory
  unsigned thread = 0;              ///< the thread that issued the copy
  const void* call_site = nullptr;  ///< the call that issued it
  /// For a copy from shared memory, the bytes it has read.
  std::shared_ptr<const std::vector<char>> staged;

  /// A row of the box. The part that lies outside the tensor is zero. A store out of shared memory
  /// moves whole pieces of 16 bytes, even where the last one ends behind the tensor, as on an H200.
  struct Row {
    std::uint32_t offset;         ///< offset of the row in the box, in bytes
    const char* source;           ///< source of the part inside the tensor
    std::uint32_t before, bytes;  ///< number of zeros before that part, and its length
  };
  Row row(std::uint32_t index) const;

  /// Returns the number of sectors of global memory that the rows touch.
  std::uint64_t sectors() const;

  /// Returns the address of byte `offset` of the box in shared memory. A swizzle exchanges its
  /// 16-byte piece with another one of the same span, chosen by bits 7 and up of the address.
  char* swizzled_address(std::uint32_t offset) const {
    const auto address = reinterpret_cast<std::uintptr_t>(target) + offset;
    const std::uintptr_t pieces = tensor.swizzle_bytes / kCopyGrain;
    constexpr unsigned kRowBits = 7;  // a swizzle row is 128 bytes
    return reinterpret_cast<char*>(
        pieces == 0 ? address : address ^ (address >> kRowBits & (pieces - 1)) * kCopyGrain);
  }

  /// Copies the box into shared memory.
  void make() const;
  /// Copies the box out of shared memory, as far as it lies in the tensor.
  void store() const;
};

}  // namespace emu
