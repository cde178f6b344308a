/// @file
/// Arithmetic on the extents of grids, blocks and clusters.
#pragma once

#include <cstdint>

#include "vector_types.h"

namespace emu {

/// Returns how many blocks or threads `extents` hold.
constexpr std::uint64_t volume(uint3 extents) {
  return std::uint64_t{extents.x} * extents.y * extents.z;
}

constexpr bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Returns the coordinates of element `number`, counted with x fastest.
constexpr uint3 coordinates_of(uint3 extents, std::uint64_t number) {
  return {static_cast<unsigned>(number % extents.x),
          static_cast<unsigned>(number / extents.x % extents.y),
          static_cast<unsigned>(number / extents.x / extents.y)};
}

}  // namespace emu
