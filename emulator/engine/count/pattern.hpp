/// @file
/// The pattern of an instruction's addresses: their offsets from lane to lane, which predict its
/// next request.
#pragma once

#include <array>
#include <cstdint>

#include "engine/count/cost.hpp"
#include "engine/count/hot_state.hpp"
#include "engine/count/spaces.hpp"

namespace emu {

/// The shape of a request's addresses.
enum class Shape : std::uint8_t {
  scattered,
  same,    ///< one address for all lanes
  in_row,  ///< each lane's access begins where that of the lane before ends
};

/// The offsets of the last request that did not fit the pattern before, and how often requests have
/// followed them since.
struct Pattern {
  RowAddresses addresses;  ///< offsets from the first lane's address
  AccessSpace space = AccessSpace::other;
  /// Number of requests that are not counted yet, by base % kLineBytes.
  std::array<std::uint64_t, kLineBytes> times{};
  std::int64_t lowest = 0, highest = 0;  ///< the smallest and largest offset
  Shape shape = Shape::scattered;
  bool overlaps = false;  ///< accesses of two lanes share a byte
  unsigned bytes = 0;     ///< distinct bytes that the lanes access

  /// Returns whether requests have followed the pattern that are not counted yet.
  bool is_used() const;
  /// Takes the offsets of `lanes` in the row. Lanes that were inactive are predicted at the first
  /// lane's address; for stores, each behind all the others, so that no two predicted stores share
  /// a byte.
  void learn(const Row& row, std::uint32_t lanes, AccessKind kind, unsigned access_bytes,
             AccessSpace in);
};

}  // namespace emu
