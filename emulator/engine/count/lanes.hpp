/// @file
/// Goes through the lanes of a mask.
#pragma once

#include <bit>
#include <cstdint>

namespace emu {

/// Calls visit(lane) for each of `lanes`, in ascending order.
template <class Visit>
void each_lane(std::uint32_t lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace emu
