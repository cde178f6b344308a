/// @file
/// What cuTensorMapEncodeTiled writes into a CUtensorMap, and bulk copies read.
#pragma once

#include <array>
#include <cstdint>

namespace emu {

constexpr unsigned kMostDimensions = 5;
constexpr unsigned kCopyGrain = 16;  ///< bytes: what addresses, strides and rows are multiples of

struct TensorMap {
  static constexpr std::uint64_t kMark = 0x70616d726f736e74;  // no other memory begins like this

  std::uint64_t mark = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostDimensions> sizes{};        ///< elements, innermost first
  std::array<std::uint64_t, kMostDimensions - 1> strides{};  ///< bytes, of dimensions 1, 2, ...
  std::array<std::uint32_t, kMostDimensions> box{};          ///< elements
  std::uint8_t rank = 0;
  std::uint8_t element_bytes = 0;
  std::uint8_t swizzle_bytes = 0;  ///< 0, 32, 64 or 128

  std::uint32_t row_bytes() const { return box[0] * element_bytes; }
  std::uint32_t box_rows() const {
    std::uint32_t rows = 1;
    for (unsigned d = 1; d < rank; ++d) rows *= box[d];
    return rows;
  }
  std::uint32_t box_bytes() const { return row_bytes() * box_rows(); }
};

}  // namespace emu
