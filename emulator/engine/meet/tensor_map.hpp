/// @file
/// The contents of a CUtensorMap: cuTensorMapEncodeTiled writes them, bulk copies read them.
#pragma once

#include <array>
#include <cstdint>

namespace emu {

constexpr unsigned kMostDimensions = 5;
constexpr unsigned kCopyGrain = 16;  ///< in bytes; addresses, strides and rows are multiples of it

struct TensorMap {
  // Tells a tensor map from other memory.
  static constexpr std::uint64_t kMark = 0x70616d726f736e74;

  std::uint64_t mark = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostDimensions> sizes{};        ///< in elements, innermost first
  std::array<std::uint64_t, kMostDimensions - 1> strides{};  ///< in bytes, of dimensions 1, 2, ...
  std::array<std::uint32_t, kMostDimensions> box{};          ///< in elements
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
