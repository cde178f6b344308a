/// @file
/// When threads made fence.proxy.async, and what each knew then. What ordinary stores have written
/// must come before such a fence, and the fence before what a tensor core or a bulk store reads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/check/race_mbarriers.hpp"

namespace emu {

struct ProxyFence {
  std::uint32_t segment = 0;  ///< what the thread did in earlier ones came before
  MbarrierOrder::Arrival known;
  Clock clock;
};

/// Of a thread.
struct ProxyFences {
  std::vector<std::uint32_t> segments;  ///< of all
  std::array<ProxyFence, 2> newest;     ///< the newest first
};

}  // namespace emu
