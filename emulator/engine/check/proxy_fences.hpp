/// @file
/// Records of fence.proxy.async. A tensor core or a bulk store may read what an ordinary store has
/// written only if the store happens before such a fence, and the fence before the read.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/check/race_mbarriers.hpp"

namespace emu {

struct ProxyFence {
  std::uint32_t segment = 0;  ///< the thread's accesses in earlier segments happen before the fence
  MbarrierOrder::Arrival known;
  Clock clock;
};

/// The proxy fences of a thread.
struct ProxyFences {
  std::vector<std::uint32_t> segments;  ///< segments of all fences
  std::array<ProxyFence, 2> newest;     ///< the two newest, newest first
};

}  // namespace emu
