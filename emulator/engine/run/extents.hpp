/// @file
/// Extents of grids, blocks and clusters: how many they hold, and where a number is in them.
#pragma once

#include <cstdint>

#include "vector_types.h"

namespace emu {

/// How many blocks or threads there are in extents like these.
constexpr std::uint64_t volume(uint3 extents) {
  return std::uint64_t{extents.x} * extents.y * extents.z;
}

constexpr bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Where `number` is, counted with x first.
constexpr uint3 place_in(uint3 extents, std::uint64_t number) {
  return {static_cast<unsigned>(number % extents.x),
          static_cast<unsigned>(number / extents.x % extents.y),
          static_cast<unsigned>(number / extents.x / extents.y)};
}

}  // namespace emu
