/// @file
/// What a warp has loaded before it stores.
#pragma once

#include <array>
#include <cstdint>

#include "course/counters.hpp"

namespace emu {

/// The loads and the asynchronous copies of a warp so far.
struct WarpLoads {
  std::uint64_t bytes = 0;          ///< loaded from global memory, each once per request
  std::uint32_t copying_lanes = 0;  ///< lanes that have asked for an asynchronous copy
  std::array<std::int64_t, course::kWarpSize> copying{};  ///< [lane]: bytes not waited for
};

}  // namespace emu
